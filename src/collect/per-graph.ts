import { inSeconds, type Millis } from '../kernel/time.ts';
import { type Metric, type Sample, sample } from '../metric/metric.ts';
import { entryOf } from './entry-of.ts';

/** The two families that a list of queries comes to. */
export interface PerGraphMetrics {
  readonly count: Metric<'graph'>;
  readonly oldest: Metric<'graph'>;
}

/** One listed query: where it runs and for how long, if that is known. */
export interface Aged {
  readonly graph: string;
  readonly age: Millis | undefined;
}

/** Count and oldest age of every known graph (0 without a query) and of every other that shows up in the list. */
export function* perGraph(
  { count, oldest }: PerGraphMetrics,
  graphs: readonly string[],
  queries: Iterable<Aged>,
): Generator<Sample> {
  const seen = new Map(graphs.map((graph) => [graph, { queries: 0, age: 0 }]));
  for (const { graph, age } of queries) {
    const known = entryOf(seen, graph, () => ({ queries: 0, age: 0 }));
    known.queries += 1;
    // From 0 on: an age may be unknown, or negative where clocks differ.
    known.age = Math.max(known.age, age ?? 0);
  }
  for (const [graph, known] of seen) yield sample(count, { graph }, known.queries);
  for (const [graph, { age }] of seen) yield sample(oldest, { graph }, inSeconds(age));
}
