import { collapsedRow, query, row, stateTimeline, timeseries, zeroOne } from '../panels.ts';
import { deduplicated, increase } from '../promql.ts';
import { healthyAtOne, healthyAtZero } from '../value-mappings.ts';

const node = '{{cluster_name}} {{node}}';
const blind = deduplicated('graphwarden_guard_blind');
const listed = deduplicated('graphwarden_collector_success', 'collector="queries"');

/** Whether the guard can act and, if not, why. */
export const guardState = row('Guard: state', 12, [
  stateTimeline(
    'Paused',
    'Whether the guard of a cluster is paused, for any reason.',
    query(deduplicated('graphwarden_guard_paused'), '{{cluster_name}}'),
    { width: 8, height: 6, valueMappings: healthyAtZero('active', 'paused'), rules: ['guard_paused'] },
  ),
  stateTimeline(
    'Pause reasons',
    'Each reason that can pause the guard: an operator, a signal or a file, an unreadable guard section or a lost state pause it on all clusters; an unexpected id in an abort reply or a second guard pause it on this cluster. The guard resumes when no reason remains.',
    query(deduplicated('graphwarden_guard_paused_by'), '{{cluster_name}} {{reason}}'),
    { width: 16, height: 6, valueMappings: healthyAtZero('no', 'paused'), rules: ['guard_paused'] },
  ),
  stateTimeline(
    'Nodes without usable process lists',
    'Nodes whose last three process lists were unusable. The guard aborts nothing there. A gap means that the latest request for a list failed, or that there was none yet.',
    query(`${blind} == 1 or (${blind} and on (cluster_name, node) ${listed} == 1)`, node),
    { width: 8, height: 6, valueMappings: healthyAtZero('usable', 'unusable'), rules: ['guard_blind'] },
  ),
  stateTimeline(
    'Covered nodes',
    'Whether the process lists of a node are confirmed to come from its own instance, and the latest list is usable and recent.',
    query(deduplicated('graphwarden_guard_node_covered'), node),
    { width: 8, height: 6, valueMappings: healthyAtOne('not covered', 'covered') },
  ),
  stateTimeline(
    'Policies that can act',
    'Whether each policy can abort queries on each node, apart from its mode. Run graphwarden guard status for the reason.',
    query(`max without (reason) (${deduplicated('graphwarden_guard_ready')})`, '{{cluster_name}} {{policy}} {{node}}'),
    { width: 8, height: 6, valueMappings: healthyAtOne('cannot act', 'can act'), rules: ['guard_not_ready'] },
  ),
]);

/** Modes, budgets and observations of the guard. */
export const guardLimits = collapsedRow('Guard: modes, budgets and observations', 12, [
  stateTimeline(
    'Policy modes',
    'Effective mode of each policy: observe if the policy or the guard is in observe mode, otherwise enforce.',
    query(deduplicated('graphwarden_guard_mode', 'mode="enforce"'), '{{cluster_name}} {{policy}}'),
    {
      height: 6,
      valueMappings: zeroOne(['observes', 'blue'], ['enforces', 'green']),
      emptyWhenHealthy: 'no policy is configured',
    },
  ),
  timeseries(
    'Open circuit breakers',
    'Circuit breakers that stay open until an operator resets them: of policies whose aborts do not reduce the pressure, and of queries that clients repeat after each abort.',
    query(deduplicated('graphwarden_guard_breaker_open'), '{{cluster_name}} {{policy}} {{reason}} {{graph}} {{query}}'),
    { height: 6, rules: ['guard_breaker_open'] },
  ),
  timeseries(
    'Remaining budgets',
    'Aborts that the budgets still allow: in the whole cluster, and on the node with the least.',
    query(deduplicated('graphwarden_guard_budget_remaining'), '{{cluster_name}} {{budget}}'),
    { width: 8, lowIsBad: true },
  ),
  timeseries(
    'Discarded observations',
    'Times that the guard discarded an entry, the process list of a node or all observations, by reason.',
    query(
      `sum by (cluster_name, node, scope, reason) (${increase('graphwarden_guard_skips_total')}) > 0`,
      `${node} {{scope}} {{reason}}`,
    ),
    { width: 8, emptyWhenHealthy: 'every list is usable', rules: ['guard_blind'] },
  ),
  timeseries(
    'Duration of list requests',
    'Duration of the latest process list request to each node, successful or not.',
    query(deduplicated('graphwarden_guard_list_duration_seconds'), node),
    { unit: 's', width: 8 },
  ),
]);
