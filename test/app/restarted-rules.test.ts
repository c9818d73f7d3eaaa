import { expect, it } from 'vitest';
import { memoryStore } from '../../src/runtime/store/local-store.ts';
import { FakeClock } from '../support/clock.ts';
import { startInMemoryCluster } from '../support/in-memory-cluster.ts';
import { startInMemoryApp } from './in-memory-app.ts';

const often = { enabled: true, interval: '10s', timeout: '5s' };
const collectors = { users: often, graph_sizes: often, user_functions: often, query_definitions: often };

/** The rules that fire, with the numbers of their incidents, and whether they are restored. */
function firing(page: string): readonly string[] {
  const { items } = JSON.parse(page) as { items: readonly { rule: string; id: string; labels: object }[] };
  return items
    .filter(({ rule }) => rule !== 'watchdog')
    .map(({ rule, id }) => `${rule} ${id}`)
    .toSorted();
}

it.each([
  ['new_superuser', ['destructive_privilege_granted', 'failed_logins', 'new_superuser']],
  ['cleared_store', ['graph_shrunk']],
  ['schema_change', ['function_changed', 'query_disappeared']],
] as const)(
  'a change during a restart, as in the scenario %s, fires, and the next restart neither ends nor repeats its alerts',
  async (scenario, rules) => {
    const clock = new FakeClock();
    // Each scenario starts 30 s after the start of the server.
    const cluster = await startInMemoryCluster(clock, () => 2, { nodes: 1, scenario });
    const store = memoryStore();
    const alertsAfter = async (seconds: number): Promise<readonly string[]> => {
      const app = await startInMemoryApp({ clock, cluster, store }, collectors);
      await clock.advance(seconds * 1000);
      const alerts = firing(await app.get('/api/v1/alerts?phase=firing'));
      await app.stop();
      return alerts;
    };
    expect(await alertsAfter(15)).toEqual([]);
    await clock.advance(30_000);
    const alerts = await alertsAfter(25);
    expect(alerts.map((alert) => alert.replace(/ .*/, ''))).toEqual(expect.arrayContaining([...rules]));
    expect(await alertsAfter(25)).toEqual(expect.arrayContaining([...alerts]));
  },
);
