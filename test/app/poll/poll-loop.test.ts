import { describe, expect, it } from 'vitest';
import { PollLoop } from '../../../src/app/poll/poll-loop.ts';
import { ListBudget } from '../../../src/app/poll/poll-pacing.ts';
import type { PollTask } from '../../../src/app/poll/poll-task.ts';
import type { Instant } from '../../../src/kernel/time.ts';
import { FakeClock } from '../../support/clock.ts';
import { fixedRandom } from '../fakes.ts';
import { type Run, ScriptedTask } from './scripted-task.ts';

/** A clock that has gone on while timers stood still, as on a machine that was suspended. */
class SuspendingClock extends FakeClock {
  suspended = 0;

  override now(): Instant {
    const { wall, mono } = super.now();
    return { wall: wall + this.suspended, mono: mono + this.suspended };
  }
}

function setUp(
  script: (run: number) => Run = () => ({}),
  more: Partial<PollTask> = {},
  given: { chance?: number; clock?: FakeClock } = {},
) {
  const { chance = 0.5, clock = new FakeClock() } = given;
  const task = new ScriptedTask(clock, more);
  task.script = script;
  const recovered: PollTask[] = [];
  const loop = new PollLoop(task, {
    clock,
    random: fixedRandom(chance),
    budget: new ListBudget(),
    onRecovered: (one) => void recovered.push(one),
  });
  const end = async (): Promise<void> => {
    loop.stop();
    await clock.advance(10_000);
    await loop.ended;
    expect(clock.sleeping).toBe(0);
  };
  return { clock, task, loop, recovered, end };
}

describe('scheduled runs', () => {
  it('begin soon, and then follow the interval grid of their phase', async () => {
    const { clock, task, end } = setUp();
    await clock.advance(20_000);
    expect(task.runs).toEqual([1000, 2500, 7500, 12_500, 17_500]);
    expect(task.intervals).toEqual(task.runs.map(() => 5000));
    expect(task.skips).toEqual({});
    await end();
  });

  it.each([
    [0, [0, 15_000, 30_000]],
    [0.1, [200, 1500, 16_500]],
    [0.999, [1998, 14_985, 29_985]],
  ])('are spread at random: %f', async (chance, expected) => {
    const { clock, task, end } = setUp(() => ({}), { interval: 15_000 }, { chance });
    await clock.advance(31_000);
    expect(task.runs.slice(0, 3)).toEqual(expected);
    await end();
  });

  it('of an interval of an hour begin as soon as the others', async () => {
    const { clock, task, end } = setUp(() => ({}), { interval: 3_600_000 });
    await clock.advance(2000);
    expect(task.runs).toEqual([1000]);
    await clock.advance(86_400_000);
    expect(task.runs).toHaveLength(25);
    await end();
  });

  it('do not drift by the duration of a run', async () => {
    const { clock, task, end } = setUp(() => ({ takes: 1234 }));
    await clock.advance(20_000);
    expect(task.runs).toEqual([1000, 2500, 7500, 12_500, 17_500]);
    await end();
  });

  it('never overlap: those during a run are counted as skipped', async () => {
    const { clock, task, end } = setUp((run) => ({ takes: run === 1 ? 12_000 : 0 }));
    await clock.advance(20_000);
    expect(task.runs).toEqual([1000, 2500, 17_500]);
    expect(task.maxRunning).toBe(1);
    expect(task.skips).toEqual({ overlap: 2 });
    await end();
  });

  it('during the first run, which begins early, are not counted', async () => {
    const { clock, task, end } = setUp(
      (run) => ({ takes: run === 0 ? 2000 : 0 }),
      { interval: 15_000 },
      { chance: 0.1 },
    );
    await clock.advance(20_000);
    expect(task.runs).toEqual([200, 16_500]);
    expect(task.skips).toEqual({});
    await end();
  });

  it('that the process slept through are counted as late', async () => {
    const clock = new SuspendingClock();
    const { task, end } = setUp(() => ({}), {}, { clock });
    await clock.advance(3000);
    clock.suspended = 12_000;
    await clock.advance(10_000);
    expect(task.skips).toEqual({ late: 2 });
    await end();
  });

  it('without a permit are counted as busy', async () => {
    const { clock, task, loop, end } = setUp((run) => ({ busy: run < 2 }));
    await clock.advance(8000);
    expect(task.skips).toEqual({ busy: 2 });
    expect(loop.hasRun).toBe(true);
    await end();
  });
});

describe('failures', () => {
  it('are retried at each interval for a minute, then with backoff that is reported', async () => {
    const { clock, task, end } = setUp(() => ({ good: false }));
    await clock.advance(180_000);
    const gaps = task.runs.slice(1).map((at, index) => at - (task.runs[index] ?? 0));
    expect(gaps.slice(1, 12).every((gap) => gap === 5000)).toBe(true);
    expect(gaps.slice(-2)).toEqual([40_000, 40_000]);
    expect(task.intervals.slice(-2)).toEqual([40_000, 40_000]);
    expect(task.skips.backoff).toBeGreaterThan(10);
    await end();
  });

  it('of a task without backoff are always retried at each interval', async () => {
    const { clock, task, end } = setUp(() => ({ good: false }), { neverBacksOff: true });
    await clock.advance(602_500);
    expect(task.runs).toHaveLength(1 + 121);
    expect(task.skips).toEqual({});
    await end();
  });

  it('wait for the Retry-After of the server, and are not woken before', async () => {
    const { clock, task, loop, end } = setUp((run) => (run === 1 ? { good: false, retryAfter: 21_000 } : {}));
    await clock.advance(10_000);
    loop.retryNow();
    await clock.advance(20_000);
    expect(task.runs).toEqual([1000, 2500, 27_500]);
    expect(task.intervals).toEqual([5000, 25_000, 5000]);
    expect(task.skips).toEqual({ retry_after: 4 });
    await end();
  });

  it('are retried at once when another task of the node recovers', async () => {
    const { clock, task, loop, end } = setUp((run) => ({ good: run > 20 }));
    await clock.advance(302_000);
    expect(task.runs.at(-1)).toBeLessThan(302_000);
    const before = task.runs.length;
    loop.retryNow();
    await clock.advance(1);
    expect(task.runs.length).toBe(before + 1);
    expect(task.runs.at(-1)).toBe(302_000);
    await end();
  });

  it('are retried at each interval again after another task of the node has recovered', async () => {
    const { clock, task, loop, end } = setUp(() => ({ good: false }));
    await clock.advance(302_000);
    expect(task.intervals.at(-1)).toBe(40_000);
    loop.retryNow();
    await clock.advance(10_000);
    expect(task.runs.slice(-3)).toEqual([302_000, 302_500, 307_500]);
    await end();
  });

  it('that end while another task recovers are not retried a second time', async () => {
    const { clock, task, loop, end } = setUp((run) => ({ good: run > 0, takes: run === 1 ? 1000 : 0 }));
    await clock.advance(3000);
    loop.retryNow();
    await clock.advance(4000);
    expect(task.runs).toEqual([1000, 2500]);
    await end();
  });

  it('of another task do not trigger a run of a task that did not fail', async () => {
    const { clock, task, loop, end } = setUp();
    await clock.advance(4000);
    loop.retryNow();
    await clock.advance(1000);
    expect(task.runs).toEqual([1000, 2500]);
    await end();
  });

  it('report their recovery once', async () => {
    const { clock, task, recovered, end } = setUp((run) => ({ good: run !== 1 }));
    await clock.advance(30_000);
    expect(recovered).toEqual([task]);
    await end();
  });
});

describe('a loop', () => {
  it('ends before its first run', async () => {
    const { clock, task, loop } = setUp();
    loop.stop();
    await loop.ended;
    expect(task.runs).toEqual([]);
    expect(clock.sleeping).toBe(0);
  });

  it('ignores a run that ends after the stop', async () => {
    const { clock, task, loop } = setUp(() => ({ takes: 500 }));
    await clock.advance(1200);
    loop.stop();
    await clock.advance(500);
    await loop.ended;
    expect(task.intervals).toEqual([]);
  });

  it('is stuck if a run far exceeds its deadline', async () => {
    const { clock, loop, end } = setUp(() => ({ takes: 100_000 }));
    await clock.advance(1000 + 6000 + 30_000);
    expect(loop.isStuck(clock.now().mono, 30_000)).toBe(false);
    await clock.advance(1);
    expect(loop.isStuck(clock.now().mono, 30_000)).toBe(true);
    await clock.advance(100_000);
    expect(loop.isStuck(clock.now().mono, 30_000)).toBe(false);
    await clock.advance(3_000_000);
    loop.stop();
    await clock.advance(100_000);
    await end();
  });
});
