import { rules } from '../../src/alert/rules/all.ts';
import type { Millis } from '../../src/kernel/time.ts';
import { superuser } from '../../test/support/postgres.ts';
import type { GuardLimits } from '../crash/guard/plan.ts';

/** Addresses of the simulated clusters and the receiver, and the state. */
export interface SettingsTarget {
  readonly clusters: readonly {
    readonly name: string;
    readonly nodes: readonly { readonly name: string; readonly url: string; readonly instance: string }[];
  }[];
  readonly receiverUrl: string;
  readonly stateDir: string;
  /** Port of the replica's proxy to the database; undefined for SQLite. */
  readonly databasePort: number | undefined;
}

/** Budgets of the guard: the queries of the campaign exhaust them at times. */
export const guardLimits: GuardLimits = { perNode: 5, perCluster: 5, within: 15_000, pick: 'oldest' };

/** Number of aborts of one query (graph and name) after which its circuit breaker stays open. */
export const breakerLimit = 3;

/** Age above which the policy matches a query. */
const minQueryAge: Millis = 2000;

const off = { enabled: false };
const idle = ['metrics', 'categories', 'statistics', 'delayed_queries', 'workload_queues', 'license'];
const quick = { confirm: { observations: 2, apart: '1s' }, grace: '200ms', cooldown: '200ms' };

/** Returns the configuration of a replica; those of all replicas differ only in the address of the database. */
export function settingsFor({ clusters, receiverUrl, stateDir, databasePort }: SettingsTarget): object {
  const { perNode, perCluster, within } = guardLimits;
  return {
    listen: '127.0.0.1:0',
    state_dir: stateDir,
    ...(databasePort === undefined
      ? {}
      : { state_url: `postgres://${superuser}@127.0.0.1:${databasePort}/graphwarden` }),
    tracker: { confirm: 1, flapping: { on: 1, off: 0.9, changes: 10_000 } },
    clusters: clusters.map(({ name, nodes }) => ({ name, nodes, graphs: ['fraud'] })),
    collectors: {
      health: { interval: '1s', timeout: '1s' },
      services: { interval: '1s', timeout: '1s' },
      queries: { interval: '500ms', timeout: '500ms' },
      ...Object.fromEntries(idle.map((name) => [name, off])),
    },
    alerts: {
      receivers: [{ name: 'hook', webhook: { url: receiverUrl } }],
      routes: [{ receivers: ['hook'], group_wait: '0s', repeat_interval: '1h' }],
      rules: {
        ...Object.fromEntries(rules.map(({ name }) => [name, off])),
        service_not_online: { for: '0s', keep_firing_for: '0s' },
      },
    },
    guard: {
      mode: 'enforce',
      budgets: {
        per_node: { max: perNode, within: `${within}ms` },
        per_cluster: { max: perCluster, within: `${within}ms` },
      },
      breakers: { same_query: { aborts: breakerLimit, within: '1h' } },
      policies: [
        {
          name: 'runaway',
          mode: 'enforce',
          clusters: clusters.map(({ name }) => name),
          when: { graph: ['fraud'], query: ['runaway_*'], age: `> ${minQueryAge}ms`, granted_timeout: '> 1m' },
          victims: { pick: 'oldest', max: 20 },
          ...quick,
        },
      ],
    },
  };
}
