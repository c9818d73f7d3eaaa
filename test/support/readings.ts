import type { Collector } from '../../src/collect/collector.ts';
import type { Failure } from '../../src/kernel/failure.ts';
import type { Instant } from '../../src/kernel/time.ts';
import type { Sample } from '../../src/metric/metric.ts';
import { FakeClock } from './clock.ts';
import { fakeGraphDb, type Script } from './fake-graphdb.ts';

/** The end of a read, as a test looks at it. */
export interface Outcome {
  readonly error: Failure | undefined;
  /** What the page would show: of the facts, of the part, or of the failure. */
  readonly lines: readonly string[];
  /** The questions in their order. */
  readonly asked: readonly string[];
}

/** The instant at which {@link readOnce} says that a reading ended. */
export const endOfReading: Instant = new FakeClock().now();

/** Reads once from a node that follows `script`, to its end, and shows the result as the board would. */
export async function readOnce(collector: Collector, script: Script): Promise<Outcome> {
  const db = fakeGraphDb(script);
  const result = await collector.read(db, new AbortController().signal);
  db.finish();
  return { error: result.ok ? undefined : result.error, lines: shown(collector, result), asked: db.asked };
}

/** The lines of a reading: `name{label="value"} 1`, labels in the order of their declaration. */
export function shown(collector: Collector, result: Awaited<ReturnType<Collector['read']>>): readonly string[] {
  if (result.ok) return linesOf(collector.samples(result.value, endOfReading));
  if (result.partial !== undefined) return linesOf(collector.samples(result.partial, endOfReading));
  return linesOf(collector.failed?.(result.error) ?? []);
}

/** Samples as text that is easy to compare. */
export function linesOf(samples: Iterable<Sample>): readonly string[] {
  return Array.from(samples, ({ metric, labels, value }) => {
    const pairs = metric.labels.map((label) => `${label}=${JSON.stringify(labels[label])}`).join(',');
    return `${metric.name}${pairs === '' ? '' : `{${pairs}}`} ${value}`;
  });
}
