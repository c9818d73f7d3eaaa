import { formatElapsed } from '../../kernel/duration.ts';
import { unobserved } from '../../model/transition.ts';
import type { ClusterRule } from '../rule.ts';
import { currentStatus, isStatusCurrent, replicaIdentity, replicaLabels } from './replica-labels.ts';
import { instanceTemplate } from './twin-templates.ts';

/** Healthy statuses, statuses with a separate rule, and the absence of a status. */
const excludedStatuses = ['Online', 'Readonly', 'StatusUnchanged', unobserved];

/** Statuses that normally end by themselves and are a problem only if they last. */
const transitionalStatuses = ['Warmup', 'Starting', 'Stopping', 'Paused'];

/** A service instance is not online. An instance that warms up or starts has more time. */
export const serviceNotOnline: ClusterRule = {
  name: 'service_not_online',
  about: 'A service instance is down, offline, missing or unknown, or takes too long to start or stop.',
  scope: 'cluster',
  severity: 'warning',
  for: 60_000,
  keepFiringFor: 60_000,
  thresholds: [
    {
      name: 'transition_timeout',
      about: 'How long a service instance may warm up, start, stop or pause before the alert fires.',
      unit: 'seconds',
      value: 600,
    },
  ],
  labels: replicaLabels,
  needs: ['services'],
  families: [],
  knows: (situation, identity) => isStatusCurrent(situation, identity, (status) => excludedStatuses.includes(status)),
  summary: '{{instance}} of {{cluster_name}} is {{status}}',
  description:
    '{{instance}} has been {{status}} for {{lasting}} (process: {{process}}). Check its log on its node, and its earlier status changes: graphwarden transitions --service {{service_name}}.',
  resolved: '{{instance}} of {{cluster_name}} is {{status}}.',
  twin: [
    'max without (status) (graphdb_service_status{status!~"Online|Readonly|StatusUnchanged|Warmup|Starting|Stopping|Paused"} == 1)',
    'or (max without (status) (graphdb_service_status{status=~"Warmup|Starting|Stopping|Paused"} == 1)',
    'and (time() - graphdb_service_state_since_timestamp_seconds > {{transition_timeout}}))',
    // Missing from a good answer, so that it has no status at all.
    'or (graphdb_service_state_since_timestamp_seconds unless graphdb_service_status_code)',
  ].join(' '),
  twinTexts: {
    summary: '{{instance}} of {{cluster_name}} is not online',
    facts: { instance: instanceTemplate },
    description:
      '{{instance}} is down, offline, missing or in an unknown status, or takes too long to start or stop. Check its log on its node, and its earlier status changes: graphwarden transitions --service {{service_name}}.',
  },
  current: currentStatus,
  *evaluate({ replicas }, { transition_timeout: timeout = 0 }, now) {
    // Thousands of instances may have changed at the same time.
    const elapsed = new Map<number, string>();
    for (const view of replicas) {
      const { confirmed, confirmedSince, process } = view;
      if (excludedStatuses.includes(confirmed)) continue;
      const { labels, facts } = replicaIdentity(view);
      const lasting = elapsed.get(confirmedSince) ?? formatElapsed(now.wall - confirmedSince);
      elapsed.set(confirmedSince, lasting);
      yield {
        labels,
        facts: {
          ...facts,
          process: process === '' ? 'unknown' : process,
          lasting,
        },
        ...(transitionalStatuses.includes(confirmed) ? { for: timeout * 1000 } : {}),
        since: confirmedSince,
      };
    }
  },
};
