import { unobserved } from '../../model/transition.ts';
import type { ClusterRule } from '../rule.ts';
import { isPresent, ofReplica, replicaLabels } from './replica-labels.ts';
import { lengthOf } from './words.ts';

/** What has a rule of its own, and what is no status at all. */
const notHere = ['Online', 'Readonly', 'StatusUnchanged', unobserved];

/** What passes by itself, so that only its length tells whether something is wrong. */
const passing = ['Warmup', 'Starting', 'Stopping', 'Paused'];

/** A service instance is not there; what warms up or starts is given more time. */
export const serviceNotOnline: ClusterRule = {
  name: 'service_not_online',
  about: 'A service instance is down, offline, missing or unknown, or takes too long to start or stop.',
  scope: 'cluster',
  severity: 'warning',
  hold: 60_000,
  keepFiring: 60_000,
  thresholds: [
    {
      name: 'passing_after',
      about: 'How long it may warm up, start, stop or pause.',
      unit: 'seconds',
      value: 600,
    },
  ],
  labels: replicaLabels,
  needs: ['services'],
  families: [],
  knows: (situation, identity) => isPresent(situation, identity, (status) => notHere.includes(status)),
  summary: '{{instance}} of {{cluster_name}} is {{status}}',
  description:
    '{{instance}} has been {{status}} for {{lasting}} (process: {{process}}). Look at its log on the node that it runs on, and at what happened there before: graphwarden transitions --service {{service_name}}.',
  twin: [
    'max without (status) (graphdb_service_status{status!~"Online|Readonly|StatusUnchanged|Warmup|Starting|Stopping|Paused"} == 1)',
    'or (max without (status) (graphdb_service_status{status=~"Warmup|Starting|Stopping|Paused"} == 1)',
    'and (time() - graphdb_service_state_since_timestamp_seconds > {{passing_after}}))',
    // Missing from a good answer, so that it has no status at all.
    'or (graphdb_service_state_since_timestamp_seconds unless graphdb_service_status_code)',
  ].join(' '),
  *judge({ replicas }, { passing_after: patience = 0 }, now) {
    for (const view of replicas) {
      const { hard, hardSince, process } = view;
      if (notHere.includes(hard)) continue;
      const { labels, facts } = ofReplica(view);
      yield {
        labels,
        facts: {
          ...facts,
          status: hard,
          process: process === '' ? 'unknown' : process,
          lasting: lengthOf(now.wall - hardSince),
        },
        ...(passing.includes(hard) ? { hold: patience * 1000 } : {}),
        since: hardSince,
      };
    }
  },
};
