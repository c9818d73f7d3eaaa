import { expect, it } from 'vitest';
import { listenForStop } from '../../src/cli/signals.ts';
import { testPorts } from '../support/cli-ports.ts';

it.each([
  ['SIGTERM', 'SIGTERM'],
  ['SIGINT', 'SIGTERM'],
] as const)('a stop begins with the first signal (%s), and is forced by the second (%s)', async (first, second) => {
  const ports = testPorts();
  const stop = listenForStop(ports.signals);
  let insisted = false;
  async function waitForStop(): Promise<void> {
    await stop.forced;
    insisted = true;
  }
  const waiting = waitForStop();
  expect(stop.requested.aborted).toBe(false);
  ports.signal(first);
  await ports.clock.settle();
  expect([stop.requested.aborted, insisted]).toEqual([true, false]);
  ports.signal(second);
  await waiting;
});

it('a stop releases its signal handlers', () => {
  const ports = testPorts();
  const stop = listenForStop(ports.signals);
  stop.release();
  expect([ports.listeners('SIGTERM'), ports.listeners('SIGINT')]).toEqual([0, 0]);
});
