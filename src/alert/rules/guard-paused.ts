import { formatMoment } from '../../kernel/timestamp.ts';
import type { ClusterRule } from '../rule.ts';
import { processLabels } from './text-format.ts';

/** Texts of the pause reasons. */
const reasonTexts: Readonly<Record<string, string>> = {
  operator: 'an operator paused the guard',
  file: 'the pause file exists, or cannot be read',
  signal: 'it was paused by a signal',
  config: 'the guard section of the configuration file cannot be read; correct the file',
  unexpected_id: 'a server reported an abort that the guard did not request',
  other_guard:
    'queries end just before the guard aborts them: a second daemon may enforce the same policies; stop one of them',
  state_lost: 'the stored aborts could not be read',
};

/** No operator chose these reasons, so the alert is critical immediately. */
const urgentReasons = ['config', 'unexpected_id', 'other_guard', 'state_lost'];
const urgentPauseQuery = `graphwarden_guard_paused_by{reason=~"${urgentReasons.join('|')}"} == 1`;
/** Several processes can guard nodes of a cluster; each has its own pauses and policies. */
const matching = `on (${processLabels}, cluster_name)`;
const enforcingQuery = `${matching} graphwarden_guard_mode{mode="enforce"} == 1`;

/** The guard of a cluster is configured to enforce policies but is paused. */
export const guardPaused: ClusterRule = {
  name: 'guard_paused',
  about:
    'A guard with enforcing policies has been paused for a long time (warning), or has paused itself (critical, at once).',
  scope: 'cluster',
  severity: 'warning',
  for: 3_600_000,
  keepFiringFor: 60_000,
  thresholds: [],
  labels: [],
  needs: [],
  families: [],
  summary: 'The guard of {{cluster_name}} is paused and aborts no queries',
  description:
    'The guard of {{cluster_name}} has been paused since {{when}}: {{why}}. No policy aborts queries on this cluster until an operator runs: graphwarden guard resume.',
  resolved: 'The guard of {{cluster_name}} is not paused, or has no enforcing policy.',
  twin: `graphwarden_guard_paused == 1 and ${enforcingQuery} unless ${matching} ${urgentPauseQuery}`,
  severityTwins: [{ severity: 'critical', for: 0, twin: `${urgentPauseQuery} and ${enforcingQuery}` }],
  twinTexts: {
    description:
      'A policy is set to enforce, but the guard of {{cluster_name}} is paused. No policy aborts queries on this cluster until an operator runs: graphwarden guard resume.',
  },
  dashboard: 'queries',
  *evaluate({ guard }) {
    if (guard?.paused === undefined || guard.isEnforcing !== true) return;
    const { since, reasons } = guard.paused;
    const why = reasons.map((reason) => reasonTexts[reason] ?? reason).join(', and ');
    const isUrgent = reasons.some((reason) => urgentReasons.includes(reason));
    const override = isUrgent ? ({ severity: 'critical', for: 0 } as const) : {};
    yield { labels: {}, facts: { when: formatMoment(since), why }, since, ...override };
  },
};
