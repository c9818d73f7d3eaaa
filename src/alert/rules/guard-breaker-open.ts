import { formatMoment } from '../../kernel/timestamp.ts';
import type { BreakerView } from '../../model/guard.ts';
import type { ClusterRule } from '../rule.ts';
import { isGuardRestored } from './abort-facts.ts';

/** A circuit breaker of the guard is open: it sends no such aborts until an operator resets the circuit breaker. */
export const guardBreakerOpen: ClusterRule = {
  name: 'guard_breaker_open',
  about:
    'A circuit breaker of the guard is open: aborts of a query, or by a policy, are stopped until an operator resets it.',
  scope: 'cluster',
  severity: 'critical',
  for: 0,
  keepFiringFor: 60_000,
  thresholds: [],
  labels: ['reason', 'graph', 'query', 'policy'],
  needs: [],
  families: [],
  knows: isGuardRestored,
  summary: 'The guard of {{cluster_name}} stopped aborting {{stopped}}: circuit breaker open',
  description:
    '{{why}}. The circuit breaker has been open since {{when}} and stays open until an operator resets it. Find the cause, then run: graphwarden guard reset-breaker {{cluster_name}} {{key}}.',
  resolved: 'The circuit breaker is closed. The guard of {{cluster_name}} may abort {{stopped}} again.',
  twin: 'graphwarden_guard_breaker_open == 1',
  twinTexts: {
    facts: {
      stopped:
        '{{ with $labels.query }}{{ . }} of {{ $labels.graph }}{{ end }}{{ with $labels.policy }}by the policy {{ . }}{{ end }}',
    },
    description:
      'The aborts did not help. The circuit breaker stays open until you reset it. Fix the cause, then run graphwarden guard reset-breaker {{cluster_name}} KEY. The status page of graphwarden shows the key.',
  },
  dashboard: 'queries',
  *evaluate({ guard }) {
    for (const breaker of guard?.breakers ?? []) {
      const { reason, graph, query, policy, key, since } = breaker;
      const facts = { ...breakerTexts(breaker), when: formatMoment(since), key: shellQuoted(key) };
      yield { labels: { reason, graph, query, policy }, facts, since };
    }
  },
};

function breakerTexts({ reason, graph, query, policy }: BreakerView): {
  readonly stopped: string;
  readonly why: string;
} {
  if (reason === 'same_query') {
    const why = 'It was aborted as often as breakers.same_query allows: its clients seem to send it again each time';
    return { stopped: `${query} of ${graph}`, why };
  }
  if (reason === 'credential') {
    const why = 'The server refused abort_auth: the credential lacks the privilege to abort queries, or has expired';
    return { stopped: 'queries', why };
  }
  return { stopped: `by the policy ${policy}`, why: 'The pressure did not fall after its aborts' };
}

/** Quotes a key for a shell. */
function shellQuoted(key: string): string {
  return /^[\w.-]+$/.test(key) ? key : `'${key.replaceAll("'", `'\\''`)}'`;
}
