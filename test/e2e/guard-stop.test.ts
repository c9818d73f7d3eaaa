import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { memoryStore } from '../../src/runtime/store/local-store.ts';
import { readJson, send } from '../support/http.ts';
import { temporaryFolder } from '../support/live-ports.ts';
import { abortCalls, type GuardEnvironment, startGuardEnvironment } from './guard-environment.ts';

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
  const environment = await startGuardEnvironment({
    guard,
    more: { state_dir: folder },
    world: { store: memoryStore() },
  });
  onTestFinished(() => environment.stop());
  return { ...environment, folder };
}

function post({ clock, daemon }: GuardEnvironment, path: string): Promise<unknown> {
  return clock.through(send(`${daemon().url}/api/v1/guard/${path}`, { method: 'POST' }));
}

interface Switch {
  readonly name: string;
  /** For so long it may go on after the switch was turned. */
  readonly within: number;
  readonly reason: string;
  readonly stop: (environment: Stoppable) => unknown;
  readonly go: (environment: Stoppable) => unknown;
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
    stop: (environment) => post(environment, 'pause'),
    go: (environment) => post(environment, 'resume'),
  },
  {
    name: 'the signal',
    within: 0,
    reason: 'signal',
    stop: ({ daemon }) => daemon().app.pauseGuard(),
    go: (environment) => post(environment, 'resume'),
  },
];

it.each(switches)('$name pauses the guard in a grace period, also over a restart, until a resume', async (one) => {
  const environment = await openStoppable();
  const { simulator, daemon } = environment;
  simulator.control.startQuery(order);
  // As late as it may be thrown and still has to hold, less the steps in which the clock is moved.
  await environment.run(due - one.within - 150);
  expect(daemon().log.map(({ message }) => message)).toContain('query matched');
  await one.stop(environment);
  await environment.run(40_000);
  expect(abortCalls(simulator)).toEqual([]);
  expect(await readJson(`${daemon().url}/api/v1/guard`)).toMatchObject({ paused: true, reasons: [one.reason] });
  await environment.restart();
  await environment.run(40_000);
  expect(abortCalls(simulator)).toEqual([]);
  const page = await daemon().page();
  expect(page.value('graphwarden_guard_paused')).toBe(1);
  await one.go(environment);
  await environment.run(40_000);
  expect(abortCalls(simulator)).toHaveLength(1);
  expect(simulator.aborts()).toHaveLength(1);
});

it('the guard sends the abort at the earliest abort time if it is not paused', async () => {
  const environment = await openStoppable();
  environment.simulator.control.startQuery(order);
  await environment.run(due - 1);
  expect(abortCalls(environment.simulator)).toEqual([]);
  await environment.run(2000);
  expect(environment.simulator.aborts()).toHaveLength(1);
});
