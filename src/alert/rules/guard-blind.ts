import type { Situation } from '../../model/situation.ts';
import type { ClusterRule } from '../rule.ts';
import { isRestored, secondOf } from './abort-words.ts';

const enforcing = 'graphwarden_guard_mode{mode="enforce"} == 1';

/** The guard does not abort by a list that it cannot trust: without one it protects nobody, and has to say so. */
export const guardBlind: ClusterRule = {
  name: 'guard_blind',
  about: 'A node gave the guard no good list three times in a row: nothing is aborted there.',
  scope: 'cluster',
  severity: 'critical',
  // Longer than that of a node that is away, which explains it.
  hold: 60_000,
  // One that comes and goes is one incident, and it takes three lists to be blind again.
  keepFiring: 60_000,
  thresholds: [],
  labels: ['node'],
  needs: [],
  families: [],
  knows: (situation, { node = '' }) => isRestored(situation) && (isBlind(situation, node) || isListed(situation, node)),
  summary: 'The guard is blind on {{node}} of {{cluster_name}}: nothing is aborted there',
  description:
    'Since {{when}} no list of what runs on {{node}} is good enough to abort by; the reason of the latest is {{reason}}. No policy acts there until one is good again. See graphwarden_guard_void_total, and graphwarden doctor.',
  twin: `graphwarden_guard_blind == 1 and on (cluster_name) ${enforcing}`,
  otherTwins: [{ severity: 'warning', twin: `graphwarden_guard_blind == 1 unless on (cluster_name) ${enforcing}` }],
  *judge({ guard }) {
    if (guard === undefined) return;
    for (const { node, since, reason } of guard.blind) {
      yield {
        labels: { node },
        facts: { reason, when: secondOf(since) },
        since,
        ...(guard.isEnforcing === false ? { severity: 'warning' as const } : {}),
      };
    }
  },
};

function isBlind({ guard }: Situation, node: string): boolean {
  return guard?.blind.some((one) => one.node === node) === true;
}

/** After a start it takes a while to be blind again; until a list was read, nobody knows. */
function isListed({ collectors }: Situation, node: string): boolean {
  const lists = collectors.find((one) => one.collector === 'queries' && one.node === node);
  return lists === undefined || lists.fresh;
}
