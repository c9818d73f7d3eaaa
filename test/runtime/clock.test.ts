import { describe, expect, it } from 'vitest';
import { readBothClocks, systemClock } from '../../src/runtime/clock.ts';

it('clock › returns wall time in milliseconds and a monotonic time that never decreases', () => {
  const before = Date.now();
  const first = systemClock.now();
  const second = systemClock.now();
  expect(first.wall).toBeGreaterThanOrEqual(before);
  expect(second.mono).toBeGreaterThanOrEqual(first.mono);
});

/** Clocks that go on by so much between two looks. */
function clocksWith(delays: readonly number[]) {
  const left = [...delays];
  let time = 1000;
  const look = (): number => {
    time += left.shift() ?? 0;
    return time;
  };
  return { wall: () => look() + 500_000, mono: look };
}

describe('a moment', () => {
  it('is the same on both clocks if the process is delayed between two clock reads', () => {
    const { wall, mono } = readBothClocks(clocksWith([0, 300, 0, 0, 0, 0]));
    expect(wall - mono).toBe(500_000);
    expect(readBothClocks(clocksWith([0, 0, 300, 0, 0, 1]))).toEqual({ wall: 501_300, mono: 1301 });
  });

  it('is returned even if every attempt is delayed', () => {
    const { wall, mono } = readBothClocks(clocksWith(Array.from({ length: 15 }, () => 10)));
    expect([wall, mono]).toEqual([501_140, 1150]);
  });
});

describe('sleeping', () => {
  it('ends when the time is over', async () => {
    const begun = systemClock.now().mono;
    await systemClock.sleep(20);
    expect(systemClock.now().mono - begun).toBeGreaterThanOrEqual(19);
  });

  it('ends immediately when the signal aborts, before or during the sleep, and never rejects', async () => {
    await systemClock.sleep(60_000, AbortSignal.abort());
    const controller = new AbortController();
    const slept = systemClock.sleep(60_000, controller.signal);
    controller.abort();
    await slept;
  });

  it('lasts longer than the maximum of a timer', async () => {
    const warnings: string[] = [];
    const note = ({ name }: Error): unknown => warnings.push(name);
    process.on('warning', note);
    const controller = new AbortController();
    const weeks = systemClock.sleep(2 ** 33, controller.signal).then(() => 'weeks');
    expect(await Promise.race([weeks, systemClock.sleep(20).then(() => 'a moment')])).toBe('a moment');
    controller.abort();
    expect(await weeks).toBe('weeks');
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });

  it('treats a negative length as 0', async () => {
    await systemClock.sleep(-5);
  });
});

it('clock › yields to timers and I/O', async () => {
  let ran = false;
  setImmediate(() => {
    ran = true;
  });
  await systemClock.yieldToEventLoop();
  expect(ran).toBe(true);
});
