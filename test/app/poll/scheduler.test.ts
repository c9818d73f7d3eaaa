import { describe, expect, it } from 'vitest';
import type { PollTask } from '../../../src/app/poll/poll-task.ts';
import { Scheduler } from '../../../src/app/poll/scheduler.ts';
import { maxListTime } from '../../../src/model/list-time-share.ts';
import { FakeClock } from '../../support/clock.ts';
import { FakeCron } from '../fake-cron.ts';
import { fixedRandom } from '../fakes.ts';
import { ScriptedTask } from './scripted-task.ts';

function setUp() {
  const clock = new FakeClock();
  const cron = new FakeCron();
  const scheduler = new Scheduler({ clock, random: fixedRandom(0.5), cron: cron.schedule });
  const task = (key: string, more: Partial<PollTask> = {}): ScriptedTask => new ScriptedTask(clock, { key, ...more });
  const end = async (): Promise<void> => {
    scheduler.sync('prod', []);
    scheduler.sync('test', []);
    await clock.advance(10_000);
    await scheduler.idle();
    expect(clock.sleeping).toBe(0);
  };
  return { clock, cron, scheduler, task, end };
}

describe('the tasks of a cluster', () => {
  it('run concurrently: one that hangs delays no other', async () => {
    const { clock, scheduler, task, end } = setUp();
    const hanging = task('hanging');
    hanging.script = () => ({ takes: 9000 });
    const others = Array.from({ length: 50 }, (_, at) => task(`other ${at}`, { node: `m${at}` }));
    scheduler.sync('prod', [hanging, ...others]);
    await clock.advance(9000);
    for (const other of others) expect(other.runs).toEqual([1000, 2500, 7500]);
    await end();
  });

  it('begin within two seconds, and in a fleet of many nodes within as many as a processor needs, and their interval', async () => {
    const { clock, scheduler, task, end } = setUp();
    const tasksOf = (cluster: string) =>
      ['m1', 'm2', 'm3'].flatMap((node) => {
        const every = (interval: number) => task(`${cluster} ${node} ${interval}`, { cluster, node, interval });
        return [every(5000), every(60_000)];
      });
    const fleet = Array.from({ length: 150 }, (_, number) => {
      const tasks = tasksOf(`c${number}`);
      scheduler.sync(`c${number}`, tasks);
      return tasks;
    }).flat();
    const begunBy = (at: number, interval: number) =>
      fleet.filter((one) => one.interval === interval && (one.runs[0] ?? Number.POSITIVE_INFINITY) <= at).length;
    await clock.advance(20_000);
    const counts = [1000, 2000, 3000, 10_000, 16_000, 17_000].map((at) => begunBy(at, 60_000));
    expect(counts).toEqual([50, 75, 100, 275, 425, 450]);
    expect(begunBy(4000, 5000)).toBe(450);
    // Clusters that are taken over later, while nothing else begins, begin at once.
    const taken = tasksOf('taken');
    scheduler.sync('taken', taken);
    await clock.advance(2000);
    expect(taken.map(({ runs }) => runs.length)).toEqual(taken.map(() => 1));
    for (let number = 0; number < 150; number += 1) scheduler.sync(`c${number}`, []);
    scheduler.sync('taken', []);
    await end();
  });

  it('run immediately on request; an unknown task is ignored', async () => {
    const { clock, scheduler, task, end } = setUp();
    const [first, other] = [task('facts'), task('other')];
    scheduler.sync('prod', [first, other]);
    await clock.advance(4000);
    const nudged = scheduler.runNow('facts', false);
    expect(await scheduler.runNow('nowhere', true)).toBe(false);
    await clock.advance(0);
    expect(await nudged).toBe(true);
    expect([first.runs, other.runs]).toEqual([
      [1000, 2500, 4000],
      [1000, 2500],
    ]);
    await end();
  });

  it('have a next time, except during a run', async () => {
    const { clock, cron, scheduler, task, end } = setUp();
    const [first, weekly] = [task('facts'), task('checks', { schedule: '0 3 * * SUN' })];
    first.script = () => ({ takes: 500 });
    cron.next = 7_000_000;
    scheduler.sync('prod', [first, weekly]);
    const start = clock.now().wall;
    expect([scheduler.nextRun('facts'), scheduler.nextRun('checks')]).toEqual([start + 1000, 7_000_000]);
    await clock.advance(1200);
    expect(scheduler.nextRun('facts')).toBeUndefined();
    await clock.advance(400);
    expect(scheduler.nextRun('facts')).toBe(start + 2500);
    expect(scheduler.nextRun('unknown task')).toBeUndefined();
    expect([scheduler.runScheduled('prod'), scheduler.runScheduled('test')]).toEqual(['started', 'none']);
    await clock.advance(100);
    expect(weekly.runs).toHaveLength(1);
    await end();
  });

  it('keep their phase over a hundred changes that keep their timing', async () => {
    const { clock, scheduler, task, end } = setUp();
    const first = task('facts');
    scheduler.sync('prod', [first]);
    for (let change = 0; change < 100; change += 1) {
      await clock.advance(200);
      scheduler.sync('prod', change % 2 === 0 ? [task('facts'), task('other')] : [task('facts')]);
    }
    expect(first.runs).toEqual([1000, 2500, 7500, 12_500, 17_500]);
    await end();
  });

  it('restart with another timing', async () => {
    const { clock, scheduler, task, end } = setUp();
    const first = task('facts');
    const second = task('facts', { interval: 8000 });
    scheduler.sync('prod', [first]);
    await clock.advance(3000);
    scheduler.sync('prod', [second]);
    await clock.advance(5000);
    expect(first.runs).toEqual([1000, 2500]);
    expect(second.runs).toEqual([4000, 7000]);
    await end();
  });

  it('end when they are removed, and do not affect other clusters', async () => {
    const { clock, scheduler, task, end } = setUp();
    const one = task('one');
    const other = task('other', { cluster: 'test' });
    scheduler.sync('prod', [one]);
    scheduler.sync('test', [other]);
    scheduler.sync('prod', []);
    await clock.advance(3000);
    expect(one.runs).toEqual([]);
    expect(other.runs).toHaveLength(2);
    await end();
  });

  it('follow a schedule if they have one', async () => {
    const { clock, cron, scheduler, task, end } = setUp();
    const check = task('check', { schedule: '0 3 * * SUN' });
    scheduler.sync('prod', [check]);
    scheduler.sync('prod', [check]);
    expect(cron.entries).toHaveLength(1);
    cron.entries[0]?.run();
    await clock.advance(10);
    expect(check.runs).toHaveLength(1);
    scheduler.sync('prod', [task('check', { schedule: '0 4 * * SUN' })]);
    expect(cron.entries.map((entry) => entry.expression)).toEqual(['0 4 * * SUN']);
    await end();
    expect(cron.entries).toEqual([]);
  });
});

describe('the first round', () => {
  it('ends when every task has run once, successfully or not; scheduled tasks do not count', async () => {
    const { clock, scheduler, task, end } = setUp();
    const slow = task('slow');
    slow.script = () => ({ takes: 3000, good: false });
    scheduler.sync('prod', [slow, task('fast'), task('check', { schedule: '0 3 * * SUN' })]);
    await clock.advance(2000);
    expect(scheduler.isFirstRoundOver()).toBe(false);
    await clock.advance(2000);
    expect(scheduler.isFirstRoundOver()).toBe(true);
    await end();
  });
});

describe('a recovery', () => {
  /** Brings `failing` into a long back-off, then lets `healer` fail once and recover. */
  async function recover(healerNode: string, failingNode: string, cluster = 'prod'): Promise<number> {
    const { clock, scheduler, task, end } = setUp();
    const healer = task('healer', { node: healerNode, neverBacksOff: true });
    const failing = task('failing', { node: failingNode, cluster });
    let isDown = true;
    healer.script = () => ({ good: !isDown });
    failing.script = () => ({ good: false });
    scheduler.sync('prod', cluster === 'prod' ? [healer, failing] : [healer]);
    if (cluster !== 'prod') scheduler.sync(cluster, [failing]);
    await clock.advance(283_000);
    const before = failing.runs.length;
    isDown = false;
    await clock.advance(5000);
    const woken = failing.runs.length - before;
    await end();
    return woken;
  }

  it.each([
    ['another task of the same node', ['m1', 'm1', 'prod'], 1],
    ['the tasks of the whole cluster', ['m1', '', 'prod'], 1],
    ['nodes, if a task of the whole cluster recovers', ['', 'm1', 'prod'], 1],
    ['no other node', ['m1', 'm2', 'prod'], 0],
    ['no other cluster', ['m1', 'm1', 'test'], 0],
  ] as const)('wakes %s', async (_, [healer, failing, cluster], woken) => {
    expect(await recover(healer, failing, cluster)).toBe(woken);
  });
});

describe('the budget', () => {
  it('is shared by the process lists of one node and of no other', async () => {
    const { clock, scheduler, task, end } = setUp();
    const make = (key: string, node: string, takes: number): ScriptedTask => {
      const made = task(key, { node, isExpensive: true });
      made.script = () => ({ takes });
      return made;
    };
    const [one, two, other] = [make('a', 'm1', 400), make('b', 'm1', 400), make('c', 'm2', 40)];
    scheduler.sync('prod', [one, two, other]);
    await clock.advance(900_000);
    const spent = 400 * (one.runs.length + two.runs.length);
    expect(spent).toBeLessThanOrEqual(900_000 * 0.05 + maxListTime + 2 * 400);
    expect(other.intervals.at(-1)).toBe(5000);
    await end();
  });
});

/** A process list that runs as `run` says. */
function dear({ task }: ReturnType<typeof setUp>, key: string, run: ScriptedTask['script']): ScriptedTask {
  const made = task(key, { isExpensive: true });
  made.script = run;
  return made;
}

describe('the budget of a node', () => {
  it('ignores the time of lists while the node hung', async () => {
    const bed = setUp();
    const { clock, scheduler, task, end } = bed;
    let hangs = true;
    const healer = task('healer', { neverBacksOff: true });
    healer.script = () => ({ good: !hangs });
    const lists = dear(bed, 'lists', () => (hangs ? { takes: 3000, good: false } : { takes: 5 }));
    scheduler.sync('prod', [healer, lists]);
    await clock.advance(60_000);
    expect(lists.intervals.at(-1)).toBe(30_000);
    hangs = false;
    await clock.advance(20_000);
    expect(lists.intervals.at(-1)).toBe(5000);
    await end();
  });

  it('returns to the interval soon after a slow list is removed', async () => {
    const bed = setUp();
    const { clock, scheduler, end } = bed;
    const [costly, cheap] = [dear(bed, 'costly', () => ({ takes: 3000 })), dear(bed, 'cheap', () => ({ takes: 5 }))];
    scheduler.sync('prod', [costly, cheap]);
    await clock.advance(120_000);
    expect(cheap.skips.slow_down).toBeGreaterThan(5);
    scheduler.sync('prod', [cheap]);
    const before = cheap.runs.length;
    await clock.advance(60_000);
    expect(cheap.runs.length - before).toBeGreaterThanOrEqual(6);
    const [last = 0, earlier = 0] = cheap.runs.toReversed();
    expect(last - earlier).toBe(5000);
    await end();
  });
});

describe('a stuck task', () => {
  it('is reported for a cron run', async () => {
    const { clock, cron, scheduler, task, end } = setUp();
    const check = task('check', { schedule: '0 3 * * SUN', stuckAfter: 1000 });
    check.script = () => ({ takes: 40_000 });
    scheduler.sync('prod', [check]);
    cron.entries[0]?.run();
    await clock.advance(31_000);
    expect(scheduler.isStuck()).toBe(false);
    await clock.advance(1);
    expect(scheduler.isStuck()).toBe(true);
    await clock.advance(10_000);
    expect(scheduler.isStuck()).toBe(false);
    await end();
  });

  it('is reported only if a run exceeds its deadline by far', async () => {
    const { clock, scheduler, task, end } = setUp();
    const stuck = task('stuck', { stuckAfter: 1000 });
    stuck.script = () => ({ takes: 40_000 });
    scheduler.sync('prod', [stuck, task('fine')]);
    await clock.advance(31_000);
    expect(scheduler.isStuck()).toBe(false);
    await clock.advance(2000);
    expect(scheduler.isStuck()).toBe(true);
    await clock.advance(8500);
    expect(scheduler.isStuck()).toBe(false);
    scheduler.sync('prod', []);
    await clock.advance(40_000);
    await end();
  });
});
