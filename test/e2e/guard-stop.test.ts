import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { memoryStore } from '../../src/runtime/store/local-store.ts';
import { readJson, send } from '../support/http.ts';
import { temporaryFolder } from '../support/live-ports.ts';
import { abortCalls, type GuardEnvironment, startEnvironment } from './guard-environment.ts';

const guard = {
  mode: 'enforce',
  policies: [{ name: 'runaway', mode: 'enforce', when: { query: 'ring_*', age: '> 20s' }, grace: '10s' }],
};
const order = { node: 'm1', graph: 'fraud', query: 'ring_scan', runsFor: 3_600_000, timeout: 3_600_000 };
const due = 30_000;

interface Stoppable extends GuardEnvironment {
  readonly folder: string;
}

async function openStoppable(): Promise<Stoppable> {
  const folder = await temporaryFolder();
  const stage = await startEnvironment({ guard, more: { state_dir: folder }, world: { store: memoryStore() } });
  onTestFinished(() => stage.stop());
  return { ...stage, folder };
}

function post({ clock, warden }: GuardEnvironment, path: string): Promise<unknown> {
  return clock.through(send(`${warden().url}/api/v1/guard/${path}`, { method: 'POST' }));
}

interface Switch {
  readonly name: string;
  /** For so long it may go on after the switch was turned. */
  readonly within: number;
  readonly reason: string;
  readonly stop: (stage: Stoppable) => unknown;
  readonly go: (stage: Stoppable) => unknown;
}

const file = (folder: string): string => join(folder, 'guard.paused');
const switches: readonly Switch[] = [
  {
    name: 'the file',
    within: 1000,
    reason: 'file',
    stop: ({ folder }) => writeFile(file(folder), ''),
    go: ({ folder }) => rm(file(folder)),
  },
  {
    name: 'a folder in its place',
    within: 1000,
    reason: 'file',
    stop: ({ folder }) => mkdir(file(folder)),
    go: ({ folder }) => rm(file(folder), { recursive: true }),
  },
  {
    name: 'the API',
    within: 0,
    reason: 'operator',
    stop: (stage) => post(stage, 'pause'),
    go: (stage) => post(stage, 'resume'),
  },
  {
    name: 'the signal',
    within: 0,
    reason: 'signal',
    stop: ({ warden }) => warden().app.pauseGuard(),
    go: (stage) => post(stage, 'resume'),
  },
];

it.each(switches)('$name stops it in mid-grace, over a restart too, until it is resumed', async (one) => {
  const stage = await openStoppable();
  const { simulator, warden } = stage;
  simulator.control.startQuery(order);
  // As late as it may be thrown and still has to hold, less the steps in which the clock is moved.
  await stage.run(due - one.within - 150);
  expect(warden().log.map(({ message }) => message)).toContain('query matched');
  await one.stop(stage);
  await stage.run(60_000);
  expect(abortCalls(simulator)).toEqual([]);
  expect(await readJson(`${warden().url}/api/v1/guard`)).toMatchObject({ paused: true, reasons: [one.reason] });
  await stage.restart();
  await stage.run(60_000);
  expect(abortCalls(simulator)).toEqual([]);
  const page = await warden().page();
  expect(page.value('graphwarden_guard_paused')).toBe(1);
  await one.go(stage);
  await stage.run(60_000);
  expect(abortCalls(simulator)).toHaveLength(1);
  expect(simulator.aborts()).toHaveLength(1);
});

it('without a stop the abort leaves at that time', async () => {
  const stage = await openStoppable();
  stage.simulator.control.startQuery(order);
  await stage.run(due - 1);
  expect(abortCalls(stage.simulator)).toEqual([]);
  await stage.run(2000);
  expect(stage.simulator.aborts()).toHaveLength(1);
});
