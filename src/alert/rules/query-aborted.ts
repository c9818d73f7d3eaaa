import type { AbortView } from '../../model/guard.ts';
import type { ClusterRule } from '../rule.ts';
import { abortFactsOf, abortLabels, abortLabelsOf, currentOutcome, isGuardRestored } from './abort-facts.ts';
import { counterIncreased } from './counter-increase.ts';
import { policyTemplate } from './twin-templates.ts';

/** The default in seconds. The Prometheus rules always use it. */
const defaultShownForSeconds = 300;

/** Returns the expression for aborts and their outcomes, including outcomes without an abort request. */
const abortQuery = (matchers: string): string =>
  ['graphwarden_guard_abort_attempts_total', 'graphwarden_guard_outcomes_total']
    .map((family) => counterIncreased({ family, matchers, windowSeconds: defaultShownForSeconds, lookback: '1h' }))
    .join(' or ');

/**
 * The guard aborts a query. The alert starts with the intent, so before the abort request is sent. The cluster is not
 * at fault: the alert explains why the client received an error.
 */
export const queryAborted: ClusterRule = {
  name: 'query_aborted',
  about:
    'The guard or an operator aborts a query. Fires before the abort request, and resolves some time after the outcome is known.',
  scope: 'cluster',
  severity: 'warning',
  for: 0,
  keepFiringFor: 60_000,
  thresholds: [
    {
      // Alertmanager notifies of an alert that joins a group after up to 5 minutes, and not if it is resolved by then.
      name: 'shown_for',
      about: 'How long the alert keeps firing after the outcome is known, so that every receiver is notified.',
      unit: 'seconds',
      value: defaultShownForSeconds,
    },
  ],
  labels: abortLabels,
  needs: [],
  families: [],
  knows: isGuardRestored,
  summary: '{{query}} of {{graph}} {{state}} on {{node}} of {{cluster_name}}',
  description:
    '{{outcome}}. Request {{request_id}} had run for {{age}} with {{granted}} when {{decider}} decided to abort it, at {{when}}. {{prevention}}.',
  resolved: '{{outcome}}.',
  current: currentOutcome,
  twin: abortQuery('policy!=""'),
  severityTwins: [{ severity: 'info', twin: abortQuery('policy=""') }],
  twinTexts: {
    summary: `Queries were aborted on {{node}} of {{cluster_name}}${policyTemplate}`,
    description: `In the last 5 minutes queries were aborted on {{node}} of {{cluster_name}}${policyTemplate}. The audit log lists them with the reasons: graphwarden guard audit.`,
  },
  dashboard: 'queries',
  *evaluate({ guard }, { shown_for: shownFor = 0 }, now) {
    for (const abort of guard?.aborts ?? []) {
      if (isShownLongEnough(abort, now.wall - shownFor * 1000)) continue;
      yield {
        labels: abortLabelsOf(abort),
        facts: abortFactsOf(abort),
        since: abort.firstAt ?? abort.at,
        receivers: abort.notify,
        // The operator who aborted the query manually knows of it.
        ...(abort.manual === undefined ? {} : { severity: 'info' as const }),
      };
    }
  },
};

function isShownLongEnough({ outcome, at, endedAt = at }: AbortView, before: number): boolean {
  return outcome !== undefined && endedAt <= before;
}
