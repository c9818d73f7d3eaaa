import { describe, expect, it } from 'vitest';
import type { PollResultListener } from '../../src/app/poll/poll-result-listener.ts';
import { TickLoop } from '../../src/app/tick-loop.ts';
import { FakeClock } from '../support/clock.ts';

function running(isIdle: () => boolean, clock = new FakeClock()) {
  const ticks: number[] = [];
  const listeners: PollResultListener[] = [];
  const pipeline = { expire: async () => false, subscribe: (one: PollResultListener) => void listeners.push(one) };
  const board = { nextOverdue: () => Number.POSITIVE_INFINITY };
  const loop = new TickLoop({ clock, pipeline, board }, { tick: async ({ mono }) => void ticks.push(mono), isIdle });
  const stopped = new AbortController();
  const done = loop.run(stopped.signal);
  return { clock, ticks, listeners, loop, stop: () => stopped.abort(), done };
}

describe('the tick loop', () => {
  it('ticks each second while a time is pending, and ends with its signal', async () => {
    const { clock, ticks, stop, done } = running(() => false);
    await clock.advance(3000);
    expect(ticks).toEqual([0, 1000, 2000, 3000]);
    stop();
    await done;
  });

  it('ticks every five seconds without a pending time, and checks again when it is woken', async () => {
    let isIdle = true;
    const { clock, ticks, loop, stop, done } = running(() => isIdle);
    await clock.advance(9000);
    expect(ticks).toEqual([0, 5000]);
    isIdle = false;
    loop.wake();
    await clock.advance(500);
    expect(ticks).toEqual([0, 5000, 9000]);
    stop();
    await done;
  });

  it('ticks when the five seconds are over, although their end is rounded', async () => {
    const start = 6302.679928855102;
    expect(start + 5000 - start).toBeLessThan(5000);
    const from = new FakeClock();
    await from.advance(start);
    const { clock, ticks, stop, done } = running(() => true, from);
    await clock.advance(5001);
    expect(ticks).toEqual([start, start + 5000]);
    stop();
    await done;
  });
});
