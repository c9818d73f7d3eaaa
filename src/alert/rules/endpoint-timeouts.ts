import type { ClusterRule } from '../rule.ts';
import { formatPercent } from './text-format.ts';

const family = 'graphdb_endpoint_recent_requests';

/** The share of requests that time out: a count alone would page clusters with much traffic. */
export const endpointTimeouts: ClusterRule = {
  name: 'endpoint_timeouts',
  about: 'A large share of the requests of one endpoint times out.',
  scope: 'cluster',
  severity: 'warning',
  for: 120_000,
  keepFiringFor: 60_000,
  thresholds: [
    {
      name: 'share',
      about: 'Share of requests that time out, above which the alert fires.',
      unit: 'ratio',
      value: 0.05,
      below: 1,
    },
    {
      name: 'min_requests',
      about: 'Requests per minute below which the alert does not fire.',
      unit: 'count',
      value: 20,
    },
  ],
  labels: ['node', 'graph', 'method', 'path'],
  needs: ['statistics'],
  families: [family],
  summary: '{{percent}} of requests to {{method}} {{path}} time out on {{node}} of {{cluster_name}}',
  description:
    'Requests of the last minute to {{method}} {{path}} (graph {{graph}}) on {{node}} that timed out: {{timeouts}} of {{requests}}. Check the load of the node and the other queries that run on it.',
  resolved: 'The share of timeouts of {{method}} {{path}} on {{node}} is below the threshold.',
  twin: [
    `sum without (outcome) (${family}{outcome="timeout"}) / sum without (outcome) (${family}) > {{share}}`,
    `and sum without (outcome) (${family}) >= {{min_requests}}`,
  ].join(' '),
  twinTexts: {
    description:
      '{{percent}} of the requests of the last minute to {{method}} {{path}} (graph {{graph}}) on {{node}} timed out. Check the load of the node and the other queries that run on it.',
  },
  dashboard: 'queries',
  *evaluate(situation, { share = 0, min_requests: least = 0 }) {
    for (const { labels, completed, timeouts } of requestsByEndpoint(situation.samples(family))) {
      const requests = completed + timeouts;
      if (requests < least || timeouts / requests <= share) continue;
      const facts = {
        timeouts: String(timeouts),
        requests: String(requests),
        percent: formatPercent(timeouts / requests),
      };
      yield { labels, facts };
    }
  },
};

interface EndpointRequests {
  readonly labels: Readonly<Record<string, string>>;
  completed: number;
  timeouts: number;
}

/** Returns the requests of the endpoints with timeouts: most endpoints of a large cluster have none. */
function requestsByEndpoint(
  facts: readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[],
): Iterable<EndpointRequests> {
  const found = new Map<string, EndpointRequests>();
  for (const { labels, value } of facts) {
    if (labels.outcome !== 'timeout' || value === 0) continue;
    const { node = '', graph = '', method = '', path = '' } = labels;
    const key = endpointKey(labels);
    const endpoint = found.get(key) ?? { labels: { node, graph, method, path }, completed: 0, timeouts: 0 };
    endpoint.timeouts += value;
    found.set(key, endpoint);
  }
  if (found.size === 0) return [];
  for (const { labels, value } of facts) {
    const endpoint = labels.outcome === 'timeout' ? undefined : found.get(endpointKey(labels));
    if (endpoint !== undefined) endpoint.completed += value;
  }
  return found.values();
}

function endpointKey({ node = '', graph = '', method = '', path = '' }: Readonly<Record<string, string>>): string {
  return JSON.stringify([node, graph, method, path]);
}
