import { formatElapsed } from '../../kernel/duration.ts';
import type { ClusterRule } from '../rule.ts';

const delayed = 'graphdb_queries_delayed';
const oldest = 'graphdb_delayed_query_oldest_age_seconds';

/** More comes in than is done: a queue of the server takes 20, and what waits for 16 s has used up its usual time-out. */
export const delayQueuePressure: ClusterRule = {
  name: 'delay_queue_pressure',
  about: 'Queries wait in the delay queue of a node, too many of them or for too long.',
  scope: 'cluster',
  severity: 'warning',
  for: 60_000,
  keepFiringFor: 60_000,
  thresholds: [
    { name: 'waiting', about: 'Queries that wait on one node.', unit: 'count', value: 15, above: 0 },
    { name: 'longest_wait', about: 'Time that one of them has waited.', unit: 'seconds', value: 16 },
  ],
  labels: ['node'],
  needs: ['delayed_queries'],
  families: [delayed, oldest],
  summary: '{{count}} queries are delayed on {{node}} of {{cluster_name}}',
  description:
    '{{count}} queries wait on {{node}}, the oldest for {{longest}}. By default the server runs 50 queries and queues 20 more, and the query timeout is 16 s: clients are about to see failures. Find long-running queries: graphwarden queries --node {{node}}.',
  resolved: 'The delay queue of {{node}} is below the thresholds.',
  twin: `sum without (graph) (${delayed}) >= {{waiting}} or max without (graph) (${oldest}) > {{longest_wait}}`,
  *evaluate(situation, { waiting: most = 0, longest_wait: longest = 0 }) {
    const counts = valuesByNode(situation.samples(delayed), (one, other) => one + other);
    const waits = valuesByNode(situation.samples(oldest), Math.max);
    for (const [node, count] of counts) {
      const wait = waits.get(node) ?? 0;
      if (count < most && wait <= longest) continue;
      yield { labels: { node }, facts: { count: String(count), longest: formatElapsed(wait * 1000) } };
    }
  },
};

function valuesByNode(
  facts: readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[],
  join: (one: number, other: number) => number,
): ReadonlyMap<string, number> {
  const joined = new Map<string, number>();
  for (const { labels, value } of facts) {
    const { node = '' } = labels;
    joined.set(node, join(joined.get(node) ?? 0, value));
  }
  return joined;
}
