import type { Millis } from '../../src/kernel/time.ts';
import type { Limits } from './plan.ts';

/** Where the cluster is, and where the state is kept. */
export interface Places {
  readonly nodes: readonly { readonly name: string; readonly url: string; readonly instance: string }[];
  readonly stateFolder: string;
}

/** What the policy means by a runaway: older than that, and granted more. */
export const meant: { readonly age: Millis } = { age: 2000 };

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

/** A daemon that does nothing but guard, and soon. */
export function settingsFor({ nodes, stateFolder }: Places, { perNode, perCluster, within, pick }: Limits): object {
  const quick = { confirm: { sightings: 2, apart: '1s' }, grace: '200ms', cooldown: '200ms' };
  const age = `> ${meant.age}ms`;
  return {
    listen: '127.0.0.1:0',
    state_dir: stateFolder,
    clusters: [{ name: 'c', nodes, graphs: ['fraud', 'social'] }],
    collectors: {
      queries: { every: '500ms', timeout: '500ms' },
      ...Object.fromEntries(idle.map((name) => [name, off])),
    },
    guard: {
      mode: 'enforce',
      protect: [{ graph: '*', query: 'nightly_*' }],
      budgets: {
        per_node: { max: perNode, within: `${within}ms` },
        per_cluster: { max: perCluster, within: `${within}ms` },
      },
      // Few names run away here: a breaker would soon end the scene.
      breakers: { same_query: { aborts: 1000, within: '1s' } },
      policies: [
        { name: 'onlooker', when: { query: 'watched_*', age }, ...quick },
        {
          name: 'runaway',
          mode: 'enforce',
          when: { graph: ['fraud'], query: ['runaway_*', 'nightly_*'], age, granted_timeout: '> 1m' },
          // Those that outlive their aborts are looked after for long, and are not to stand in the way of all others.
          victims: { pick, max: 20 },
          ...quick,
        },
      ],
    },
  };
}
