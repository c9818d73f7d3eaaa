import { getOrCreate } from '../../collect/keyed-rows.ts';
import type { Sample } from '../../metric/metric.ts';
import type { SampleFact } from '../../model/situation.ts';
import type { CollectorFeed } from './collector-feed.ts';

const noFacts: readonly SampleFact[] = [];

/**
 * Keeps requested samples of one source as they pass to the page: a page of 100,000 series must not be stored twice.
 */
export class SampleCapture {
  readonly #families: ReadonlySet<string>;
  #facts = new Map<string, SampleFact[]>();
  /** Samples with the label `node`, by family: rules read them more often than they change. */
  readonly #factsOfNode = new Map<string, readonly SampleFact[]>();

  /** `wanted` may grow: samples of a new family are available after the next pass. */
  constructor(wanted: ReadonlySet<string>) {
    this.#families = wanted;
  }

  /** Passes samples on; the kept samples are replaced when the last one has passed. */
  *pass(samples: Iterable<Sample>): Generator<Sample> {
    const facts = new Map<string, SampleFact[]>();
    let last: Sample['metric'] | undefined;
    let isWanted = false;
    for (const sample of samples) {
      // Samples of one family follow one another.
      if (sample.metric !== last) {
        last = sample.metric;
        isWanted = this.#families.has(last.name);
      }
      if (isWanted) capture(facts, sample);
      yield sample;
    }
    this.#facts = facts;
    this.#factsOfNode.clear();
  }

  /** Forgets all samples. */
  clear(): void {
    this.#facts = new Map();
    this.#factsOfNode.clear();
  }

  /** Returns the kept samples of a family; none if it was not requested when the samples passed. */
  family(family: string): readonly SampleFact[] {
    return this.#facts.get(family) ?? noFacts;
  }

  /** Returns the kept samples of a family as facts of the feed: node facts have the label `node`. */
  facts(family: string, { node, definition }: Pick<CollectorFeed, 'node' | 'definition'>): readonly SampleFact[] {
    const facts = this.family(family);
    if (definition.scope === 'cluster' || facts.length === 0) return facts;
    return getOrCreate(this.#factsOfNode, family, () =>
      facts.map((one) => ({ ...one, labels: { ...one.labels, node } })),
    );
  }
}

function capture(facts: Map<string, SampleFact[]>, { metric, labels, value }: Sample): void {
  const known = facts.get(metric.name);
  if (known === undefined) facts.set(metric.name, [{ labels, value }]);
  else known.push({ labels, value });
}
