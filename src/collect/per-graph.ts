import { inSeconds, type Millis } from '../kernel/time.ts';
import { type Metric, type Sample, sample } from '../metric/metric.ts';

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
  const counts = new Map(graphs.map((graph) => [graph, 0]));
  const ages = new Map(graphs.map((graph) => [graph, 0]));
  for (const { graph, age } of queries) {
    counts.set(graph, (counts.get(graph) ?? 0) + 1);
    ages.set(graph, Math.max(ages.get(graph) ?? 0, age ?? 0));
  }
  for (const [graph, value] of counts) yield sample(count, { graph }, value);
  for (const [graph, age] of ages) yield sample(oldest, { graph }, inSeconds(age));
}
