import type { Millis } from '../kernel/time.ts';
import type { Sample } from '../metric/metric.ts';
import type { ParsedFamily, ParsedSeries } from '../model/exposition.ts';
import { sampleValues, valueAt, valueTextAt } from '../model/exposition.ts';
import { informantRefresh } from './host-metrics.ts';
import type { IdentityCheck } from './identity-check.ts';

/** Refreshes after a source switch during which a lower counter value counts as lag of the other node's copy. */
const withheldRefreshes = 2;

/** Minimum time of these refreshes: most polls find the copy that the node refreshes once a minute unchanged. */
const withheldFor: Millis = withheldRefreshes * informantRefresh;

/**
 * Samples that outlive their poll result. Counters of the whole cluster come from the copy of one node, and the copies
 * differ: after a source switch, a lower value would look like a reset. The previous value is exposed until the new
 * source has been lower for three refreshes, and for two minutes.
 */
export class KeptSamples {
  readonly #identities: IdentityCheck | undefined;
  #source: string | undefined;
  #refreshesToWithhold = 0;
  /** Monotonic time until which lower values are withheld. */
  #withheldUntil = Number.NEGATIVE_INFINITY;
  #withholds = false;
  #kept = new Map<string, Sample>();
  #families: readonly ParsedFamily[] = [];

  /** @param identities rejects implausible samples; absent for results that nothing confirms soon. */
  constructor(identities?: IdentityCheck) {
    this.#identities = identities;
  }

  /** Announces a poll result with facts, complete or partial, from `source`, which ended at `mono`. */
  startResult(source: string, mono: number): void {
    if (this.#source !== undefined && this.#source !== source) this.#startWithholding(mono);
    else if (this.#refreshesToWithhold > 0) this.#refreshesToWithhold -= 1;
    this.#withholds = this.#refreshesToWithhold > 0 || mono < this.#withheldUntil;
    this.#source = source;
  }

  /**
   * Continues the counters that another collector exposed until `mono`: they are compared with the next values as after a
   * source switch, because the results of the collectors differ in age.
   */
  takeOver(samples: Iterable<Sample>, mono: number): void {
    for (const sample of samples) {
      const key = seriesKey(sample);
      if (sample.metric.type !== 'counter' || this.#kept.has(key)) continue;
      this.#kept.set(key, sample);
      this.#startWithholding(mono);
    }
  }

  /** Returns the samples whose identity is plausible. A family that another collector shows must be checked as well. */
  plausible(samples: Iterable<Sample>): Iterable<Sample> {
    return this.#identities?.pass(samples) ?? samples;
  }

  /** Returns the samples of a successful poll result, and keeps them as they are consumed. */
  *passComplete(samples: Iterable<Sample>): Generator<Sample> {
    const next = new Map<string, Sample>();
    for (const sample of samples) {
      if (!sample.metric.keep) {
        yield sample;
        continue;
      }
      const key = seriesKey(sample);
      const shown = this.#withheld(sample, this.#kept.get(key));
      next.set(key, shown);
      yield shown;
    }
    this.#kept = next;
  }

  /** Returns the samples of a failed poll: the partial samples, and those kept from earlier polls. */
  *passPartial(samples: Iterable<Sample>): Generator<Sample> {
    for (const sample of samples) {
      if (!sample.metric.keep) {
        yield sample;
        continue;
      }
      const key = seriesKey(sample);
      this.#kept.set(key, this.#withheld(sample, this.#kept.get(key)));
    }
    yield* this.all();
  }

  /** Returns the kept counters and check results, which stay exposed while their source fails. */
  all(): Iterable<Sample> {
    return this.#kept.values();
  }

  /** Forgets these families, because another collector exposes them now. */
  forget(families: ReadonlySet<string>): void {
    for (const [key, { metric }] of this.#kept) if (families.has(metric.name)) this.#kept.delete(key);
  }

  /** Returns the families to pass through; long lists are compared only in the refreshes after a source switch. */
  passFamilies(families: readonly ParsedFamily[]): readonly ParsedFamily[] {
    this.#families = this.#withholds ? this.#withheldFamilies(families) : families;
    return this.#families;
  }

  #startWithholding(mono: number): void {
    this.#refreshesToWithhold = withheldRefreshes;
    this.#withheldUntil = mono + withheldFor;
    this.#withholds = true;
  }

  #withheld(sample: Sample, before: Sample | undefined): Sample {
    const lags = this.#withholds && sample.metric.type === 'counter' && before !== undefined;
    return lags && before.value > sample.value ? before : sample;
  }

  #withheldFamilies(families: readonly ParsedFamily[]): readonly ParsedFamily[] {
    const earlier = new Map(this.#families.map((family) => [family.name, family]));
    return families.map((family) => {
      const before = earlier.get(family.name);
      return family.type === 'counter' && before !== undefined ? higherValues(family, before) : family;
    });
  }
}

/** Series keep their identity across the poll results of a cluster, so they are looked up by object. */
function higherValues(family: ParsedFamily, before: ParsedFamily): ParsedFamily {
  const shown = new Map<ParsedSeries, number>(before.series.map((series, at) => [series, at]));
  const texts = family.series.map((series, at) => {
    const last = shown.get(series);
    const lags = last !== undefined && valueAt(before.values, last) > valueAt(family.values, at);
    return lags ? valueTextAt(before.values, last) : valueTextAt(family.values, at);
  });
  return { ...family, values: sampleValues(texts) };
}

function seriesKey({ metric, labels }: Sample): string {
  return [metric.name, ...metric.labels.map((label) => labels[label] ?? '')].join('\0');
}
