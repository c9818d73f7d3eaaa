import type { Millis } from '../../kernel/time.ts';
import type { AbortView } from '../../model/guard.ts';
import type { ClusterRule } from '../rule.ts';
import { abortFactsOf, abortLabels, abortLabelsOf, currentOutcome, isGuardRestored } from './abort-facts.ts';
import { counterIncreased } from './counter-increase.ts';

/** An abort request that is not sent is tried again at once, so that only a lasting failure matters. */
const notSentFor: Millis = 60_000;
/** Retries are at most 30 s apart: after that the query has ended, or no longer matches. */
const retriedWithin: Millis = 120_000;

/** The server was asked to abort a query, and it may run on: the guard asks once, so a person has to see to it. */
export const abortUnconfirmed: ClusterRule = {
  name: 'abort_unconfirmed',
  about:
    'A query still runs after its abort, or its state is unknown; resolves an hour later in any case. Or its abort request cannot be sent for a minute.',
  scope: 'cluster',
  severity: 'critical',
  for: 0,
  keepFiringFor: 60_000,
  thresholds: [
    {
      name: 'escalate_after',
      about: 'How long the query keeps running before the receivers that the next policy names are notified as well.',
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
  twin: counterIncreased({
    family: 'graphwarden_guard_outcomes_total',
    matchers: 'outcome=~"still_running|unknown"',
    windowSeconds: 3600,
    lookback: '1d',
  }),
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

/** Since when a query runs on although it should be aborted; undefined if it does not, or if nothing is known of it. */
function runningOnSince({ outcome, at, firstAt = at, endedAt = at }: AbortView, now: number): number | undefined {
  if (outcome === 'still_running' || outcome === 'unknown') return endedAt;
  return outcome === 'not_sent' && now - endedAt <= retriedWithin ? firstAt : undefined;
}
