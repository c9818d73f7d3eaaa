import { describe, expect, it } from 'vitest';
import { type Collector, collector, type PollOutcome } from '../../src/collect/collector.ts';
import {
  abortGrace,
  ListTurns,
  maxListWait,
  type PollJob,
  type PollResult,
  PollRunner,
} from '../../src/collect/poll-runner.ts';
import type { GraphDb } from '../../src/graphdb/graph-db.ts';
import { failure } from '../../src/kernel/failure.ts';
import { err, ok } from '../../src/kernel/result.ts';
import { FakeClock } from '../support/clock.ts';
import { recordingLogger } from '../support/logger.ts';

type Read = (db: GraphDb, signal: AbortSignal) => Promise<PollOutcome<string>>;

function reading(poll: Read): Collector {
  return collector<string>({
    name: 'facts',
    about: 'A test.',
    scope: 'node',
    metrics: [],
    defaults: { enabled: true, interval: 5000, timeout: 1000 },
    calls: [],
    privilege: '',
    poll,
    samples: () => [],
  });
}

function setUp(read: Read, node = 'm1') {
  const clock = new FakeClock();
  const log = recordingLogger();
  const runner = new PollRunner(clock, log);
  const job: PollJob = { collector: reading(read), db: { cluster: 'prod', node } as GraphDb, timeout: 1000 };
  return { clock, log, runner, job };
}

const never: Read = () => new Promise(() => undefined);

function untilAborted(partial?: string): Read {
  return async (_, signal) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    const failed = err(failure('timeout', 'cut off'));
    return partial === undefined ? failed : { ...failed, partial };
  };
}

describe('a poll', () => {
  it('has the result of the collector, its node and its time', async () => {
    const { clock, runner, job } = setUp(async () => ok('facts'));
    const result = await runner.poll(job);
    expect(result).toEqual({ result: ok('facts'), source: 'm1', started: clock.now(), ended: clock.now() });
    expect(clock.sleeping).toBe(0);
  });

  it('has its duration', async () => {
    const { clock, runner, job } = setUp(async () => {
      await clock.sleep(300);
      return ok('late');
    });
    const result = runner.poll(job);
    await clock.advance(300);
    const { started, ended } = (await result) ?? expect.fail();
    expect(ended.mono - started.mono).toBe(300);
    expect(ended.wall - started.wall).toBe(300);
  });

  it('has the failure of the collector', async () => {
    const failed = err(failure('auth', 'refused'));
    const { runner, job } = setUp(async () => failed);
    expect((await runner.poll(job))?.result).toEqual(failed);
  });

  it('is aborted at its deadline, and may still return a partial result', async () => {
    const { clock, runner, job } = setUp(untilAborted('half'));
    const result = runner.poll(job);
    await clock.advance(1000);
    const { result: outcome, ended } = (await result) ?? expect.fail();
    expect(outcome).toMatchObject({ ok: false, error: { reason: 'timeout' }, partial: 'half' });
    expect(ended.mono).toBe(1000);
    expect(clock.sleeping).toBe(0);
  });

  it('that throws fails, and is logged as a bug', async () => {
    const { log, runner, job } = setUp(async () => {
      throw new TypeError('undefined is no function');
    });
    expect((await runner.poll(job))?.result).toMatchObject({ ok: false, error: { reason: 'body' } });
    expect(log.lines).toMatchObject([{ level: 'error', fields: { node: 'm1', collector: 'facts' } }]);
    expect(await runner.poll(job)).toBeDefined();
  });
});

describe('a permit', () => {
  it('is shared by all callers of a poll in flight', async () => {
    let reads = 0;
    const { clock, runner, job } = setUp(async () => {
      reads += 1;
      await clock.sleep(100);
      return ok('facts');
    });
    const all = Array.from({ length: 1000 }, () => runner.poll(job));
    await clock.advance(100);
    expect(reads).toBe(1);
    expect(new Set(all).size).toBe(1);
    expect((await all[0])?.result).toEqual(ok('facts'));
    void runner.poll(job);
    expect(reads).toBe(2);
    await clock.advance(100);
  });

  it('is one for each node and collector', async () => {
    const { runner, job } = setUp(never);
    const first = runner.poll(job);
    const second = runner.poll({ ...job, db: { cluster: 'prod', node: 'm2' } as GraphDb });
    expect(first).not.toBe(second);
    runner.stop();
  });

  it('of a poll that ignores its abort is held for a while, and then expires', async () => {
    let reads = 0;
    const { clock, runner, job } = setUp(() => {
      reads += 1;
      return never({} as GraphDb, new AbortController().signal);
    });
    const result = runner.poll(job);
    await clock.advance(1000 + abortGrace);
    expect((await result)?.result).toMatchObject({ ok: false, error: { reason: 'timeout' } });
    expect(runner.poll(job)).toBeUndefined();
    await clock.advance(799);
    expect(runner.poll(job)).toBeUndefined();
    await clock.advance(201);
    expect(runner.poll(job)).toBeDefined();
    expect(reads).toBe(2);
    await clock.advance(5000);
  });

  it('of a poll that returns late is free at once, also for the next holder', async () => {
    let returnLate: (() => void) | undefined;
    const { clock, runner, job } = setUp(
      () => new Promise((resolve) => (returnLate = () => resolve(ok('much too late')))),
    );
    const result = runner.poll(job);
    await clock.advance(1000 + abortGrace);
    expect((await result)?.result.ok).toBe(false);
    returnLate?.();
    await clock.settle();
    expect(runner.poll(job)).toBeDefined();
    runner.stop();
    await clock.advance(abortGrace);
  });

  it('is not released by a poll that had already lost it', async () => {
    const returns: (() => void)[] = [];
    const { clock, runner, job } = setUp(() => new Promise((resolve) => returns.push(() => resolve(ok('x')))));
    void runner.poll(job);
    await clock.advance(2000 + abortGrace);
    const second = runner.poll(job);
    returns[0]?.();
    await clock.settle();
    expect(runner.poll(job)).toBe(second);
    returns[1]?.();
    expect((await second)?.result).toEqual(ok('x'));
  });
});

describe('lists of a node', () => {
  it('are polled one after another, each with its whole timeout', async () => {
    const { clock, runner, job } = setUp(untilAborted());
    const list = (name: string, read: Read): PollJob => ({
      ...job,
      collector: { ...reading(read), name, calls: ['processListAll'] },
    });
    const hung = runner.poll(list('queries', untilAborted()));
    const other = runner.poll(list('delayed_queries', async () => ok('delayed')));
    const elsewhere = runner.poll({
      ...list('queries', async () => ok('m2')),
      db: { cluster: 'prod', node: 'm2' } as GraphDb,
    });
    expect((await elsewhere)?.result).toEqual(ok('m2'));
    await clock.advance(1000);
    expect((await hung)?.result.ok).toBe(false);
    expect(await other).toMatchObject({ result: ok('delayed'), started: { mono: 1000 } });
  });

  it.each([
    ['ends soon', 100, 100],
    ['hangs', 1000, maxListWait],
  ])('start with the process list if a delayed list %s', async (_, duration, started) => {
    const { clock, runner, job } = setUp(untilAborted());
    const delayed: Collector = {
      ...reading(async () => {
        await clock.sleep(duration);
        return ok('delayed');
      }),
      name: 'delayed_queries',
      calls: ['delayedList'],
    };
    const processes: Collector = {
      ...reading(async () => ok('list')),
      calls: ['processListAll'],
      processList: () => undefined,
    };
    void runner.poll({ ...job, collector: delayed });
    const list = runner.poll({ ...job, collector: processes });
    await clock.advance(started);
    expect(await list).toMatchObject({ result: ok('list'), started: { mono: started } });
    await clock.advance(1000);
    expect(clock.sleeping).toBe(0);
  });

  it('are polled one after another by two runners of a cluster', async () => {
    const { clock, log, job } = setUp(never);
    const lists = new ListTurns();
    const inFlight: string[] = [];
    const poll = async (name: string): Promise<PollResult | undefined> =>
      await new PollRunner(clock, log, lists).poll({
        ...job,
        collector: {
          ...reading(async () => {
            inFlight.push(`${name} begins`);
            await clock.sleep(100);
            inFlight.push(`${name} ends`);
            return ok(name);
          }),
          calls: ['delayedList'],
        },
      });
    const both = [poll('a'), poll('b')];
    await clock.advance(100);
    await clock.advance(100);
    await Promise.all(both);
    expect(inFlight).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  });
});

describe('stopping', () => {
  it('ends all polls at once, and leaves no timer', async () => {
    const { clock, runner, job } = setUp(untilAborted());
    const one = runner.poll(job);
    const other = runner.poll({ ...job, db: { cluster: 'prod', node: 'm2' } as GraphDb });
    runner.stop();
    await runner.idle();
    expect([(await one)?.result.ok, (await other)?.result.ok]).toEqual([false, false]);
    expect(clock.sleeping).toBe(0);
  });

  it('waits no longer than the grace period for a poll that ignores it', async () => {
    const { clock, runner, job } = setUp(never);
    void runner.poll(job);
    runner.stop();
    let idle = false;
    const waiting = runner.idle().then(() => (idle = true));
    await clock.advance(abortGrace - 1);
    expect(idle).toBe(false);
    await clock.advance(1);
    await waiting;
    expect(clock.sleeping).toBe(0);
  });
});
