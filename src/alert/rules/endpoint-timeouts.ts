import type { ClusterRule } from '../rule.ts';
import { percent } from './words.ts';

const family = 'graphdb_endpoint_window_requests';

/** The share of requests that run out of time: a count alone would page whoever has much traffic. */
export const endpointTimeouts: ClusterRule = {
  name: 'endpoint_timeouts',
  about: 'A large share of the requests of one endpoint runs out of time.',
  scope: 'cluster',
  severity: 'warning',
  hold: 120_000,
  keepFiring: 60_000,
  thresholds: [
    { name: 'share', about: 'Share of requests that time out.', unit: 'ratio', value: 0.05, below: 1 },
    { name: 'least_requests', about: 'Requests a minute below which nothing is said.', unit: 'count', value: 20 },
  ],
  labels: ['node', 'graph', 'method', 'path'],
  needs: ['statistics'],
  families: [family],
  summary: '{{percent}} of {{method}} {{path}} on {{node}} of {{cluster_name}} run out of time',
  description:
    '{{timeouts}} of {{requests}} requests of the last minute to {{method}} {{path}} (graph {{graph}}) on {{node}} ran out of time. Look at the load of the node, and at what else runs on it.',
  twin: [
    `sum without (outcome) (${family}{outcome="timeout"}) / sum without (outcome) (${family}) > {{share}}`,
    `and sum without (outcome) (${family}) >= {{least_requests}}`,
  ].join(' '),
  *judge(situation, { share = 0, least_requests: least = 0 }) {
    for (const { labels, completed, timeouts } of endpoints(situation.samples(family))) {
      const requests = completed + timeouts;
      if (requests < least || timeouts / requests <= share) continue;
      const facts = { timeouts: String(timeouts), requests: String(requests), percent: percent(timeouts / requests) };
      yield { labels, facts };
    }
  },
};

interface Endpoint {
  readonly labels: Readonly<Record<string, string>>;
  completed: number;
  timeouts: number;
}

function endpoints(
  facts: readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[],
): Iterable<Endpoint> {
  const found = new Map<string, Endpoint>();
  for (const { labels, value } of facts) {
    const { node = '', graph = '', method = '', path = '', outcome } = labels;
    const key = JSON.stringify([node, graph, method, path]);
    const endpoint = found.get(key) ?? { labels: { node, graph, method, path }, completed: 0, timeouts: 0 };
    if (outcome === 'timeout') endpoint.timeouts += value;
    else endpoint.completed += value;
    found.set(key, endpoint);
  }
  return found.values();
}
