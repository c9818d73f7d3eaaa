import { rules } from '../../src/alert/rules/all.ts';
import type { SimulatedReceiver } from '../../src/simulator/receivers/receivers.ts';

type Section = Readonly<Record<string, unknown>>;

/** What the settings are about. */
interface FaultyTargets {
  readonly broken: Section;
  readonly filling: Section;
  readonly receivers: readonly SimulatedReceiver[];
}

const often = { interval: '500ms', timeout: '400ms' };
const calendar = { enabled: true, schedule: '* * * * *', timeout: '10s' };

/** Aborts what runs away on the broken cluster, one after another, until it gives up. */
const runaway = {
  name: 'runaway',
  mode: 'enforce',
  clusters: ['broken'],
  when: { query: 'ring_*', age: '> 3s' },
  victims: { pick: 'oldest', max: 3 },
  confirm: { observations: 2, apart: '1s' },
  grace: '1s',
  cooldown: '3s',
};

/** One that waits for a pressure which does not come. */
const idlePolicy = {
  name: 'relief',
  clusters: ['broken'],
  when: { query: 'ring_*', age: '> 1h' },
  gate: { any: [{ queue_depth: '> 1000', for: '2s' }] },
};

/** A daemon in a hurry: what takes minutes elsewhere takes seconds. */
export function faultySettings({ broken, filling, receivers }: FaultyTargets): Section {
  const quick = ['health', 'metrics', 'categories', 'services', 'statistics', 'queries', 'delayed_queries', 'license'];
  return {
    clusters: [broken, filling],
    collectors: {
      ...Object.fromEntries(quick.map((name) => [name, often])),
      workload_queues: often,
      consistency: calendar,
    },
    tracker: { confirm: 1, flapping: { window: 5, on: 0.2, off: 0.1 } },
    guard: {
      mode: 'enforce',
      breakers: { same_query: { aborts: 2, within: '15m' } },
      policies: [runaway, idlePolicy],
    },
    alerts: {
      receivers: receivers.map(({ name, url }) => ({ name, webhook: { url } })),
      routes: [{ receivers: receivers.map(({ name }) => name), group_by: ['cluster_name'], group_wait: '0s' }],
      rules: Object.fromEntries(rules.map(({ name }) => [name, { for: '0s' }])),
    },
  };
}
