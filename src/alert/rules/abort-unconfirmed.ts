import { type Millis, toSeconds } from '../../kernel/time.ts';
import { type AbortView, unsentSince } from '../../model/guard.ts';
import type { ClusterRule } from '../rule.ts';
import { abortFactsOf, abortLabels, abortLabelsOf, currentOutcome, isGuardRestored } from './abort-facts.ts';
import { counterIncreased } from './counter-increase.ts';
import { policyTemplate } from './twin-templates.ts';

/** An abort request that is not sent is tried again at once, so that only a lasting failure matters. */
const notSentFor: Millis = 60_000;

/** A query may still run after its abort request. The guard sends one request only, so an operator must act. */
export const abortUnconfirmed: ClusterRule = {
  name: 'abort_unconfirmed',
  about:
    'A query still runs or its state is unknown after its abort, or its abort request could not be sent for a minute. Resolves after an hour in any case.',
  scope: 'cluster',
  severity: 'critical',
  for: 0,
  keepFiringFor: 60_000,
  thresholds: [
    {
      name: 'escalate_after',
      about: 'How long the query may keep running before the receivers of the next policy are notified as well.',
      unit: 'seconds',
      value: 300,
    },
  ],
  labels: abortLabels,
  needs: [],
  families: [],
  knows: isGuardRestored,
  summary: '{{query}} of {{graph}} {{state}} on {{node}} of {{cluster_name}}',
  description:
    '{{outcome}}. Request {{request_id}} had run for {{age}} when {{decider}} decided to abort it, at {{when}}. {{retry}}. Check whether the query still runs: graphwarden queries --node {{node}}. If it does, abort it manually: graphwarden abort {{cluster_name}}/{{node}} {{request_id}} --reason WHY. If it still does not end, restart the node as a last resort.',
  resolved: '{{followed}}{{outcome}}.',
  current(situation, identity) {
    const now = currentOutcome(situation, identity);
    const isFollowed = Object.hasOwn(now, 'outcome');
    return { ...now, followed: isFollowed ? '' : 'graphwarden follows an abort for one hour. Last result: ' };
  },
  twin: `${counterIncreased({
    family: 'graphwarden_guard_outcomes_total',
    matchers: 'outcome=~"still_running|unknown"',
    windowSeconds: 3600,
    lookback: '1d',
  })} or graphwarden_guard_unsent_abort_seconds >= ${toSeconds(notSentFor)}`,
  twinTexts: {
    summary: 'A query may still run on {{node}} of {{cluster_name}} although it should be aborted',
    description: `In the last hour a query was aborted on {{node}}${policyTemplate}, and it is still listed or no usable list exists; the guard does not retry. Or its abort request could not be sent for a minute. Find the query in the audit log (graphwarden guard audit) and check whether it still runs: graphwarden queries --node {{node}}. If it does, abort it manually: graphwarden abort {{cluster_name}}/{{node}} ID --reason REASON.`,
  },
  dashboard: 'queries',
  *evaluate({ guard }, { escalate_after: escalateAfter = 0 }, now) {
    for (const abort of guard?.aborts ?? []) {
      const since = runningOnSince(abort, now.wall);
      if (since === undefined) continue;
      const isEscalated = now.wall - since >= escalateAfter * 1000;
      // The receivers of the alert that announced the abort also get the correction.
      const receivers = [...abort.notify, ...(isEscalated ? (guard?.escalation?.[abort.policy] ?? []) : [])];
      yield {
        labels: abortLabelsOf(abort),
        facts: abortFactsOf(abort),
        since,
        receivers: [...new Set(receivers)],
        ...(abort.outcome === 'not_sent' ? { for: notSentFor } : {}),
      };
    }
  },
};

/** Returns since when a query has run on, or may have, although it should be aborted; undefined if it does not. */
function runningOnSince(abort: AbortView, now: number): number | undefined {
  const { outcome, at, endedAt = at } = abort;
  return outcome === 'still_running' || outcome === 'unknown' ? endedAt : unsentSince(abort, now);
}
