import type { Collector } from '../../src/collect/collector.ts';
import type { Failure } from '../../src/kernel/failure.ts';
import type { Instant } from '../../src/kernel/time.ts';
import type { Sample } from '../../src/metric/metric.ts';
import { FakeClock } from './clock.ts';
import { fakeGraphDb, type GraphDbScript } from './fake-graphdb.ts';

/** Outcome of a poll, for comparisons in tests. */
export interface PollOutcome {
  readonly error: Failure | undefined;
  /** Samples of the facts, of the partial facts, or of the failure. */
  readonly lines: readonly string[];
  /** Calls of the poll, in order. */
  readonly calls: readonly string[];
}

/** End time of the polls of {@link pollOnce}. */
export const pollEnd: Instant = new FakeClock().now();

/** Polls a node that follows `script` once, and returns the outcome with the samples that would be exposed. */
export async function pollOnce(collector: Collector, script: GraphDbScript): Promise<PollOutcome> {
  const db = fakeGraphDb(script);
  const result = await collector.poll(db, new AbortController().signal);
  db.finish();
  return { error: result.ok ? undefined : result.error, lines: renderResult(collector, result), calls: db.calls };
}

/** Returns the lines of a poll result: `name{label="value"} 1`, labels in the order of their declaration. */
export function renderResult(collector: Collector, result: Awaited<ReturnType<Collector['poll']>>): readonly string[] {
  if (result.ok) return sampleLines(collector.samples(result.value, pollEnd));
  if (result.partial !== undefined) return sampleLines(collector.samples(result.partial, pollEnd));
  return sampleLines(collector.failureSamples?.(result.error) ?? []);
}

/** Formats samples as text for comparisons. */
export function sampleLines(samples: Iterable<Sample>): readonly string[] {
  return Array.from(samples, ({ metric, labels, value }) => {
    const pairs = metric.labels.map((label) => `${label}=${JSON.stringify(labels[label])}`).join(',');
    return `${metric.name}${pairs === '' ? '' : `{${pairs}}`} ${value}`;
  });
}
