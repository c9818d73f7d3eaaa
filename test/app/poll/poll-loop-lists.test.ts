import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PollLoop } from '../../../src/app/poll/poll-loop.ts';
import { ListBudget } from '../../../src/app/poll/poll-pacing.ts';
import { FakeClock } from '../../support/clock.ts';
import { fixedRandom } from '../fakes.ts';
import { type Run, ScriptedTask } from './scripted-task.ts';

type Script = (run: number) => Run;

/** The lists of one node: a loop for each script, which share the budget. */
function setUp(scripts: readonly Script[], interval = 5000) {
  const clock = new FakeClock();
  const budget = new ListBudget();
  const tasks = scripts.map((script, index) => {
    const task = new ScriptedTask(clock, { key: `list ${index}`, interval, isExpensive: true });
    task.script = script;
    return task;
  });
  const options = { clock, random: fixedRandom(0.5), budget, onRecovered: () => budget.forgetFailures() };
  const loops = tasks.map((task) => new PollLoop(task, options));
  const end = async (): Promise<void> => {
    for (const loop of loops) loop.stop();
    await clock.advance(40_000);
    await Promise.all(loops.map((loop) => loop.ended));
    expect(clock.sleeping).toBe(0);
  };
  return { clock, tasks, end };
}

/** Times between the runs of a task, without the first run, which comes before its time. */
function gaps({ runs }: ScriptedTask): readonly number[] {
  return runs.slice(2).map((at, index) => at - (runs[index + 1] ?? 0));
}

function timeOf(task: ScriptedTask): number {
  return task.runs.reduce((sum, _, run) => sum + (task.script(run).takes ?? 0), 0);
}

describe('lists', () => {
  it.each([1000, 2500, 2999, 4999])('stay at their interval after one answer of %i ms', async (takes) => {
    const slow: Script = (run) => ({ takes: run === 5 ? takes : 10 });
    const { clock, tasks, end } = setUp([slow, slow]);
    await clock.advance(120_000);
    for (const task of tasks) {
      expect(gaps(task).every((gap) => gap === 5000)).toBe(true);
      expect(task.intervals.every((one) => one === 5000)).toBe(true);
      expect(task.skips).toEqual({});
    }
    await end();
  });

  it('that are slow for a long time are polled less often, but at least every 30 s', async () => {
    const { clock, tasks, end } = setUp([() => ({ takes: 2500 }), () => ({ takes: 2500 })]);
    await clock.advance(600_000);
    for (const task of tasks) {
      expect(Math.max(...gaps(task))).toBe(30_000);
      expect(task.intervals.at(-1)).toBe(30_000);
      expect(task.skips.slow_down).toBeGreaterThan(50);
      expect(task.skips.overlap).toBeUndefined();
    }
    await end();
  });

  it('take at most 5 % of the server time, plus saved time', async () => {
    const { clock, tasks, end } = setUp([() => ({ takes: 400 }), () => ({ takes: 200 })]);
    await clock.advance(600_000);
    const spent = tasks.reduce((sum, task) => sum + timeOf(task), 0);
    expect(spent).toBeGreaterThan(40_000);
    expect(spent).toBeLessThanOrEqual(30_000 + 15_000 + 600);
    await end();
  });

  it('report their true interval while only another list is slow', async () => {
    const { clock, tasks, end } = setUp([() => ({ takes: 10 }), () => ({ takes: 2500 })]);
    await clock.advance(600_000);
    const [quick = expect.fail()] = tasks;
    expect(Math.max(...gaps(quick))).toBeGreaterThan(5000);
    expect(quick.shown.slice(1, 1 + gaps(quick).length)).toEqual(gaps(quick));
    await end();
  });

  it('return to their interval with the first quick answer', async () => {
    const { clock, tasks, end } = setUp([(run) => ({ takes: run < 20 ? 2500 : 10 })]);
    await clock.advance(900_000);
    const [task = expect.fail()] = tasks;
    expect(gaps(task).slice(12, 24)).toEqual([
      ...Array.from({ length: 7 }, () => 30_000),
      ...Array.from({ length: 5 }, () => 5000),
    ]);
    await end();
  });

  it('return to their interval when a node recovers from a hang', async () => {
    const { clock, tasks, end } = setUp([(run) => (run < 30 ? { takes: 3000, good: false } : { takes: 10 })]);
    await clock.advance(1_500_000);
    const [task = expect.fail()] = tasks;
    expect(task.intervals[29]).toBeGreaterThan(5000);
    expect(task.intervals.slice(30, 40)).toEqual(Array.from({ length: 10 }, () => 5000));
    await end();
  });

  it('are at most 30 s apart, for any duration and interval', async () => {
    const intervals = fc.constantFrom(1000, 5000, 7000, 13_000);
    const lengths = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(intervals, lengths, lengths, async (interval, one, other) => {
        const scripts = [one, other].map((shares): Script => {
          return (run) => ({ takes: Math.floor((shares[run % shares.length] ?? 0) * interval * 0.9) });
        });
        const { clock, tasks, end } = setUp(scripts, interval);
        await clock.advance(300_000);
        for (const task of tasks) expect(Math.max(...gaps(task))).toBeLessThanOrEqual(30_000);
        await end();
      }),
      { numRuns: 20 },
    );
  });
});
