import type { BreakerView } from '../../model/guard.ts';
import type { ClusterRule } from '../rule.ts';
import { isRestored, secondOf } from './abort-words.ts';

/** Aborting does not help: the guard has stopped, and waits for a person. */
export const guardBreakerOpen: ClusterRule = {
  name: 'guard_breaker_open',
  about: 'The guard has stopped to abort a query, or by a policy, because it does not help; until it is reset by hand.',
  scope: 'cluster',
  severity: 'critical',
  hold: 0,
  keepFiring: 60_000,
  thresholds: [],
  labels: ['reason', 'graph', 'query', 'policy'],
  needs: [],
  families: [],
  knows: isRestored,
  summary: 'The guard of {{cluster_name}} no longer aborts {{stopped}}',
  description:
    '{{why}}. So it has been since {{when}}, and stays so until somebody has seen to the cause and says: graphwarden guard reset-breaker {{cluster_name}} {{key}}.',
  twin: 'graphwarden_guard_breaker_open == 1',
  *judge({ guard }) {
    for (const breaker of guard?.breakers ?? []) {
      const { reason, graph, query, policy, key, since } = breaker;
      const facts = { ...wordsOf(breaker), when: secondOf(since), key: quoted(key) };
      yield { labels: { reason, graph, query, policy }, facts, since };
    }
  },
};

function wordsOf({ reason, graph, query, policy }: BreakerView): { readonly stopped: string; readonly why: string } {
  if (reason === 'same_query') {
    const why = 'It was aborted as often as breakers.same_query allows: its clients seem to ask again each time';
    return { stopped: `${query} of ${graph}`, why };
  }
  return { stopped: `by the policy ${policy}`, why: 'The pressure did not fall after what it aborted' };
}

/** As a shell takes it for one word. */
function quoted(key: string): string {
  return /^[\w.-]+$/.test(key) ? key : `'${key.replaceAll("'", `'\\''`)}'`;
}
