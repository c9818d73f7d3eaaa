import type { Sample } from '../metric/metric.ts';
import type { ParsedFamily, ParsedSeries } from '../model/exposition.ts';
import { numberAt, textAt, valueTexts } from '../model/value-texts.ts';

/** For how many refreshes after a switch of source a lower counter value is taken for the other copy's lag. */
const patience = 2;

/**
 * Remembers what one reading showed that outlives it. Cluster-wide counters come from one node's copy; the
 * copies differ, so after a switch a lower value would look like a reset: the last one is shown instead, until
 * the new source has been lower for three refreshes.
 */
export class ShownMemory {
  #source: string | undefined;
  #withhold = 0;
  #kept = new Map<string, Sample>();
  #families: readonly ParsedFamily[] = [];

  /** A good reading from `source` is about to be shown. */
  refresh(source: string): void {
    if (this.#source !== undefined && this.#source !== source) this.#withhold = patience;
    else if (this.#withhold > 0) this.#withhold -= 1;
    this.#source = source;
  }

  /** The samples to show of a good reading; consuming them to the end is what makes them remembered. */
  *pass(samples: Iterable<Sample>): Generator<Sample> {
    const next = new Map<string, Sample>();
    for (const sample of samples) {
      if (!sample.metric.keep) {
        yield sample;
        continue;
      }
      const key = keyOf(sample);
      const shown = this.#held(sample, this.#kept.get(key));
      next.set(key, shown);
      yield shown;
    }
    this.#kept = next;
  }

  /** The samples to show of a failed reading: what did arrive, and what is kept of earlier ones. */
  *passPartial(samples: Iterable<Sample>): Generator<Sample> {
    for (const sample of samples) {
      if (sample.metric.keep) this.#kept.set(keyOf(sample), sample);
      else yield sample;
    }
    yield* this.kept();
  }

  /** Counters and last check results that stay visible whatever happens to their source. */
  kept(): Iterable<Sample> {
    return this.#kept.values();
  }

  /** Keeps nothing of these families any more: another collector shows them now. */
  forget(families: ReadonlySet<string>): void {
    for (const [key, { metric }] of this.#kept) if (families.has(metric.name)) this.#kept.delete(key);
  }

  /** The server's own families to show; long lists are compared only in the refreshes after a switch. */
  passFamilies(families: readonly ParsedFamily[]): readonly ParsedFamily[] {
    this.#families = this.#withhold === 0 ? families : this.#heldFamilies(families);
    return this.#families;
  }

  #held(sample: Sample, before: Sample | undefined): Sample {
    const lags = this.#withhold > 0 && sample.metric.type === 'counter' && before !== undefined;
    return lags && before.value > sample.value ? before : sample;
  }

  #heldFamilies(families: readonly ParsedFamily[]): readonly ParsedFamily[] {
    const earlier = new Map(this.#families.map((family) => [family.name, family]));
    return families.map((family) => {
      const before = earlier.get(family.name);
      return family.type === 'counter' && before !== undefined ? higher(family, before) : family;
    });
  }
}

/** Series keep their identity over the readings of a cluster, so they are looked up by object. */
function higher(family: ParsedFamily, before: ParsedFamily): ParsedFamily {
  const shown = new Map<ParsedSeries, number>(before.series.map((series, at) => [series, at]));
  const texts = family.series.map((series, at) => {
    const last = shown.get(series);
    const lags = last !== undefined && numberAt(before.values, last) > numberAt(family.values, at);
    return lags ? textAt(before.values, last) : textAt(family.values, at);
  });
  return { ...family, values: valueTexts(texts) };
}

function keyOf({ metric, labels }: Sample): string {
  return [metric.name, ...metric.labels.map((label) => labels[label] ?? '')].join('\0');
}
