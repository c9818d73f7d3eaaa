import type { Millis } from '../../../src/kernel/time.ts';
import type { GuardLimits } from './plan.ts';

/** Address of the cluster, and the state directory. */
export interface SettingsTarget {
  readonly nodes: readonly { readonly name: string; readonly url: string; readonly instance: string }[];
  readonly stateDir: string;
}

/** Age and granted timeout above which the policy matches a query. */
export const runawayCondition: { readonly age: Millis } = { age: 2000 };

const off = { enabled: false };
const idle = [
  'health',
  'services',
  'metrics',
  'categories',
  'statistics',
  'delayed_queries',
  'workload_queues',
  'license',
];

/** Returns a configuration in which only the guard runs, with short intervals. */
export function settingsFor(
  { nodes, stateDir }: SettingsTarget,
  { perNode, perCluster, within, pick }: GuardLimits,
): object {
  const quick = { confirm: { observations: 2, apart: '1s' }, grace: '200ms', cooldown: '200ms' };
  const age = `> ${runawayCondition.age}ms`;
  return {
    listen: '127.0.0.1:0',
    state_dir: stateDir,
    clusters: [{ name: 'c', nodes, graphs: ['fraud', 'social'] }],
    collectors: {
      queries: { interval: '500ms', timeout: '500ms' },
      ...Object.fromEntries(idle.map((name) => [name, off])),
    },
    guard: {
      mode: 'enforce',
      protect: [{ graph: '*', query: 'nightly_*' }],
      budgets: {
        per_node: { max: perNode, within: `${within}ms` },
        per_cluster: { max: perCluster, within: `${within}ms` },
      },
      // The scenario has few query names, so the circuit breaker would open and end it.
      breakers: { same_query: { aborts: 1000, within: '1s' } },
      policies: [
        { name: 'onlooker', when: { query: 'watched_*', age }, ...quick },
        {
          name: 'runaway',
          mode: 'enforce',
          when: { graph: ['fraud'], query: ['runaway_*', 'nightly_*'], age, granted_timeout: '> 1m' },
          // Verification of unstoppable queries takes long and must not block the other aborts.
          victims: { pick, max: 20 },
          ...quick,
        },
      ],
    },
  };
}
