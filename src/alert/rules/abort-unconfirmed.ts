import type { ClusterRule } from '../rule.ts';
import { abortFactsOf, abortLabels, abortLabelsOf, currentOutcome, isGuardRestored } from './abort-facts.ts';
import { counterIncreased } from './counter-increase.ts';

/** The server was asked to abort a query, and it may run on: the guard asks once, so a person has to see to it. */
export const abortUnconfirmed: ClusterRule = {
  name: 'abort_unconfirmed',
  about: 'A query still runs after its abort, or its state is unknown; resolves an hour later in any case.',
  scope: 'cluster',
  severity: 'critical',
  for: 0,
  keepFiringFor: 60_000,
  thresholds: [],
  labels: abortLabels,
  needs: [],
  families: [],
  knows: isGuardRestored,
  summary: '{{query}} of {{graph}} {{state}} on {{node}} of {{cluster_name}}',
  description:
    '{{outcome}}. Request {{request_id}} had run for {{age}} when {{decider}} decided to abort it, at {{when}}. graphwarden does not retry the abort. Check whether the query still runs: graphwarden queries --node {{node}}. If it does, abort it manually: graphwarden abort {{cluster_name}}/{{node}} {{request_id}} --reason WHY. If it still does not end, restart the node as a last resort.',
  resolved: '{{followed}}{{outcome}}.',
  current(situation, identity) {
    const now = currentOutcome(situation, identity);
    const isFollowed = Object.hasOwn(now, 'outcome');
    return { ...now, followed: isFollowed ? '' : 'graphwarden follows an abort for one hour. Last result: ' };
  },
  twin: counterIncreased({
    family: 'graphwarden_guard_outcomes_total',
    matchers: 'outcome=~"still_running|unknown"',
    windowSeconds: 3600,
    lookback: '1d',
  }),
  *evaluate({ guard }) {
    for (const abort of guard?.aborts ?? []) {
      const { outcome, at, endedAt, notify: receivers } = abort;
      if (outcome !== 'still_running' && outcome !== 'unknown') continue;
      // The receivers of the alert that announced the abort also get the correction.
      yield { labels: abortLabelsOf(abort), facts: abortFactsOf(abort), since: endedAt ?? at, receivers };
    }
  },
};
