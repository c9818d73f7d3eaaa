import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { enableOptimizer, signalsOf } from '../../src/runtime/process.ts';
import { FakeClock } from '../support/clock.ts';

it('process › handles the named signal until the handler is removed', () => {
  const source = new EventEmitter();
  const seen: string[] = [];
  const release = signalsOf(source).on('SIGHUP', () => seen.push('SIGHUP'));
  signalsOf(source).on('SIGTERM', () => seen.push('SIGTERM'));
  source.emit('SIGHUP');
  source.emit('SIGTERM');
  release();
  source.emit('SIGHUP');
  expect(seen).toEqual(['SIGHUP', 'SIGTERM']);
  expect(source.listenerCount('SIGHUP')).toBe(0);
});

it('process › receives a signal of the process', async () => {
  const arrived = Promise.withResolvers<void>();
  const release = signalsOf(process).on('SIGHUP', arrived.resolve);
  process.kill(process.pid, 'SIGHUP');
  await arrived.promise;
  release();
});

it('process › waits until the event loop is active for 5 % of an interval, but not for the start', async () => {
  const clock = new FakeClock();
  let active = 0;
  const options = { whenBusy: true, clock, activeTime: () => active };
  const end = enableOptimizer(options, new AbortController().signal);
  await clock.settle();
  for (const [more, waiting] of [
    [5000, 1],
    [499, 1],
    [500, 0],
  ] as const) {
    active += more;
    await clock.advance(10_000);
    expect(clock.sleeping).toBe(waiting);
  }
  await end;
});

it.each([
  ['at the stop', true],
  ['if it need not wait', false],
])('process › waits for no interval %s', async (_, whenBusy) => {
  const clock = new FakeClock();
  await enableOptimizer({ whenBusy, clock }, AbortSignal.abort('stopped'));
  expect(clock.sleeping).toBe(0);
});
