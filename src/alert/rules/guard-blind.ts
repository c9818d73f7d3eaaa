import { formatMoment } from '../../kernel/timestamp.ts';
import type { Situation } from '../../model/situation.ts';
import type { ClusterRule } from '../rule.ts';
import { isGuardRestored } from './abort-facts.ts';

/** Why the latest process list of a node is not usable, by the reason of `graphwarden_guard_skips_total`. */
export const unusableListTexts: Readonly<Record<string, string>> = {
  failed: 'the request failed',
  error: 'the response reports an error',
  malformed: 'the response is not a process list',
  duplicate_ids: 'two queries of the list have the same id',
  foreign_instance: 'the list is that of another instance',
  too_old: 'the list was processed too late',
  too_slow: 'the response took too long',
  clock_stepped: 'the clock of this host was changed',
};

const enforcingQuery = 'graphwarden_guard_mode{mode="enforce"} == 1';

/** The guard aborts nothing without a usable process list, so a node without one is not covered. */
export const guardBlind: ClusterRule = {
  name: 'guard_blind',
  about: 'A node returned no usable process list three times in a row, so the guard aborts no queries on it.',
  scope: 'cluster',
  severity: 'critical',
  // Longer than `for` of `node_unreachable`, which inhibits it.
  for: 60_000,
  // A flapping node is one incident: three unusable lists in a row end the coverage again.
  keepFiringFor: 60_000,
  thresholds: [],
  labels: ['node'],
  needs: [],
  families: [],
  knows: (situation, { node = '' }) =>
    isGuardRestored(situation) && (isBlind(situation, node) || hasFreshQueryList(situation, node)),
  summary: 'The guard has no usable process list of {{node}} in {{cluster_name}} and aborts nothing there',
  description:
    'Since {{when}} no process list of {{node}} has been usable: {{why}}. No policy aborts queries on this node until a list is usable again. Check graphwarden_guard_skips_total and run graphwarden doctor.',
  resolved: 'The process list of {{node}} is usable again.',
  twin: `graphwarden_guard_blind == 1 and on (cluster_name) ${enforcingQuery}`,
  severityTwins: [
    { severity: 'warning', twin: `graphwarden_guard_blind == 1 unless on (cluster_name) ${enforcingQuery}` },
  ],
  twinTexts: {
    description:
      'No recent process list of {{node}} is usable. No policy aborts queries on this node until a list is usable again. Check graphwarden_guard_skips_total and run graphwarden doctor.',
  },
  dashboard: 'queries',
  *evaluate({ guard }) {
    if (guard === undefined) return;
    for (const { node, since, reason } of guard.nodesWithoutData) {
      yield {
        labels: { node },
        facts: { reason, why: unusableListTexts[reason] ?? 'the reason is unknown', when: formatMoment(since) },
        since,
        ...(guard.isEnforcing === false ? { severity: 'warning' as const } : {}),
      };
    }
  },
};

function isBlind({ guard }: Situation, node: string): boolean {
  return guard?.nodesWithoutData.some((one) => one.node === node) === true;
}

/** After a start the coverage of a node is unknown until the first list arrives. */
function hasFreshQueryList({ collectors }: Situation, node: string): boolean {
  const lists = collectors.find((one) => one.collector === 'queries' && one.node === node);
  return lists === undefined || lists.fresh;
}
