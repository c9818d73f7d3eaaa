import { describe, expect, it } from 'vitest';
import { BeatLoop } from '../../src/app/beat-loop.ts';
import { Budget } from '../../src/app/pace.ts';
import type { Task } from '../../src/app/task.ts';
import { FakeClock } from '../support/clock.ts';
import { always } from './fakes.ts';
import { type Run, ScriptedTask } from './scripted-task.ts';

function setUp(script: (run: number) => Run = () => ({}), more: Partial<Task> = {}, budget = new Budget()) {
  const clock = new FakeClock();
  const task = new ScriptedTask(clock, more);
  task.script = script;
  const loop = new BeatLoop(task, { clock, random: always(0.5), budget, recovered: () => undefined });
  const end = async (): Promise<void> => {
    loop.stop();
    await clock.advance(10_000);
    await loop.ended;
    expect(clock.sleeping).toBe(0);
  };
  return { clock, task, loop, end };
}

describe('a nudge', () => {
  it('makes a run at once, from which the beats go on', async () => {
    const { clock, task, loop, end } = setUp();
    await clock.advance(4000);
    const nudged = loop.nudge(false);
    await clock.advance(0);
    expect(await nudged).toBe(true);
    await clock.advance(11_000);
    expect(task.runs).toEqual([1000, 2500, 4000, 9000, 14_000]);
    expect(task.skips).toEqual({});
    await end();
  });

  it('joins the run that goes on', async () => {
    const { clock, task, loop, end } = setUp(() => ({ takes: 500 }));
    await clock.advance(1200);
    const over: boolean[] = [];
    const nudges = [loop.nudge(false), loop.nudge(true)].map((one) => one.then((made) => void over.push(made)));
    await clock.advance(200);
    expect([over, task.runs]).toEqual([[], [1000]]);
    await clock.advance(100);
    await Promise.all(nudges);
    await clock.advance(1100);
    expect([over, task.runs]).toEqual([
      [true, true],
      [1000, 2500],
    ]);
    await end();
  });

  it('leaves the first beat where it is', async () => {
    const { clock, task, loop, end } = setUp();
    await clock.advance(500);
    expect(await loop.nudge(false)).toBe(false);
    await clock.advance(1000);
    expect(task.runs).toEqual([1000]);
    await end();
  });

  it.each([
    ['what a server asked for', { good: false, retryAfter: 60_000 }, {}],
    ['a list that is dear', { takes: 600 }, { dear: true }],
  ])('waits for %s, unless it is urgent', async (_, run, more) => {
    const { clock, task, loop, end } = setUp(() => run, more);
    await clock.advance(2000);
    expect(await loop.nudge(false)).toBe(false);
    const urgent = loop.nudge(true);
    await clock.advance(1000);
    expect(await urgent).toBe(true);
    expect(task.runs).toEqual([1000, 2000]);
    await end();
  });

  it('does not wait for what others on the node cost, though the beats do', async () => {
    const budget = new Budget();
    budget.charge('prod/other/m1', { good: false, cost: 8000 }, 5000);
    const { clock, task, loop, end } = setUp(() => ({ takes: 10 }), { dear: true }, budget);
    await clock.advance(20_000);
    expect(task.runs).toEqual([1000]);
    const nudged = loop.nudge(false);
    await clock.advance(10);
    expect([await nudged, task.runs]).toEqual([true, [1000, 20_000]]);
    await end();
  });

  it('waits for as long as the task would wait if it were alone', async () => {
    const budget = new Budget();
    budget.charge('prod/other/m1', { good: false, cost: 8000 }, 5000);
    const { clock, loop, end } = setUp(() => ({ takes: 400 }), { dear: true }, budget);
    await clock.advance(7400);
    expect(await loop.nudge(false)).toBe(false);
    await clock.advance(200);
    const nudged = loop.nudge(false);
    await clock.advance(400);
    expect(await nudged).toBe(true);
    await end();
  });

  it('resolves when the loop ends', async () => {
    const { loop, end } = setUp();
    const nudged = loop.nudge(true);
    loop.stop();
    await end();
    expect([await nudged, await loop.nudge(true)]).toEqual([false, false]);
  });
});
