import type { Sample } from '../metric/metric.ts';
import type { Fact } from '../model/situation.ts';

/**
 * Keeps those samples of one source that somebody asked for, as they pass by on their way to the page: a page of
 * 100,000 series is not to be kept a second time.
 */
export class FactTap {
  readonly #wanted: ReadonlySet<string>;
  #facts = new Map<string, Fact[]>();

  /** `wanted` may grow: what is asked for later is there from the next pass on. */
  constructor(wanted: ReadonlySet<string>) {
    this.#wanted = wanted;
  }

  /** Hands samples on; what was kept before is replaced when the last one has passed. */
  *pass(samples: Iterable<Sample>): Generator<Sample> {
    const facts = new Map<string, Fact[]>();
    for (const sample of samples) {
      if (this.#wanted.has(sample.metric.name)) note(facts, sample);
      yield sample;
    }
    this.#facts = facts;
  }

  /** Nothing is shown any more. */
  clear(): void {
    this.#facts = new Map();
  }

  /** What was kept of a family; undefined where it was not yet wanted when the samples passed. */
  of(family: string): readonly Fact[] {
    return this.#facts.get(family) ?? [];
  }
}

function note(facts: Map<string, Fact[]>, { metric, labels, value }: Sample): void {
  const known = facts.get(metric.name);
  if (known === undefined) facts.set(metric.name, [{ labels, value }]);
  else known.push({ labels, value });
}
