import { expect, it, onTestFinished } from 'vitest';
import type { Cron } from '../../src/kernel/system.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import { memoryStore } from '../../src/runtime/store/local-store.ts';
import { startSimulator } from '../../src/simulator/simulator.ts';
import { eventually } from '../support/child.ts';
import { send } from '../support/http.ts';
import { startInProcessDaemon } from '../support/in-process-daemon.ts';

it('scheduled tasks run at their times only, show their results, and do not run again after a restart', async () => {
  const simulator = await startSimulator({ nodes: 2 }, { listen, clock: systemClock });
  onTestFinished(() => simulator.close());
  const store = memoryStore();
  const start = async () => {
    const runs: (() => void)[] = [];
    const cron: Cron = (_, run) => {
      runs.push(run);
      return { stop: () => undefined, next: () => systemClock.now().wall + 3_600_000 };
    };
    const nodes = simulator.nodes.map(({ name, url }) => ({ name, url }));
    const read_auth = { basic: { username: 'monitor', password: 'simulated' } };
    const collectors = { rebuild: { enabled: true }, expired_tokens: { enabled: true } };
    const settings = { clusters: [{ name: 'prod', nodes, read_auth }], collectors };
    return {
      daemon: await startInProcessDaemon(settings, { store, cron }),
      strike: () => {
        for (const run of runs) run();
      },
    };
  };

  const first = await start();
  const probe = await send(`${first.daemon.url}/probe?target=prod&collector=rebuild`);
  expect(probe.status).toBe(400);
  const checks = await send(`${first.daemon.url}/api/v1/checks/run`, { method: 'POST', body: '{"cluster":"prod"}' });
  expect(checks.status).toBe(404);
  expect(simulator.control.rebuiltGraphs()).toEqual([]);
  first.strike();
  const shown = await eventually('both tasks have run', async () => {
    const now = await first.daemon.page();
    return now.value('graphdb_token_cleanup_success', {}) !== undefined && now;
  });
  expect(shown.value('graphdb_rebuild_success', { graph: 'fraud' })).toBe(1);
  expect(shown.value('graphdb_rebuild_duration_seconds', { graph: 'social' })).toBeGreaterThan(0);
  expect(simulator.control.rebuiltGraphs()).toEqual(['fraud', 'social']);
  const lines = first.daemon.log.filter(({ message }) => message === 'scheduled task finished');
  expect(lines.map(({ fields }) => fields.graph)).toEqual(['fraud', 'social', undefined]);
  await first.daemon.stop();

  const second = await start();
  onTestFinished(() => second.daemon.stop());
  second.strike();
  await eventually('both tasks were skipped', async () => {
    return second.daemon.log.filter(({ message }) => message === 'scheduled task skipped').length === 2;
  });
  expect(simulator.control.rebuiltGraphs()).toEqual(['fraud', 'social']);
});
