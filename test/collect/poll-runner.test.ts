import { describe, expect, it } from 'vitest';
import { type Collector, collector, type PollOutcome } from '../../src/collect/collector.ts';
import { abortGrace, type PollJob, PollRunner } from '../../src/collect/poll-runner.ts';
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
    const trouble = err(failure('timeout', 'cut off'));
    return partial === undefined ? trouble : { ...trouble, partial };
  };
}

describe('a read', () => {
  it('gives what the collector read, from where, and when', async () => {
    const { clock, runner, job } = setUp(async () => ok('facts'));
    const result = await runner.poll(job);
    expect(result).toEqual({ result: ok('facts'), source: 'm1', started: clock.now(), ended: clock.now() });
    expect(clock.sleeping).toBe(0);
  });

  it('measures how long it took', async () => {
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

  it('hands the failure of the collector through', async () => {
    const trouble = err(failure('auth', 'refused'));
    const { runner, job } = setUp(async () => trouble);
    expect((await runner.poll(job))?.result).toEqual(trouble);
  });

  it('is aborted at its deadline, and may still hand over what did arrive', async () => {
    const { clock, runner, job } = setUp(untilAborted('half'));
    const result = runner.poll(job);
    await clock.advance(1000);
    const { result: outcome, ended } = (await result) ?? expect.fail();
    expect(outcome).toMatchObject({ ok: false, error: { reason: 'timeout' }, partial: 'half' });
    expect(ended.mono).toBe(1000);
    expect(clock.sleeping).toBe(0);
  });

  it('that throws is a failure, and logged as the bug that it is', async () => {
    const { log, runner, job } = setUp(async () => {
      throw new TypeError('undefined is no function');
    });
    expect((await runner.poll(job))?.result).toMatchObject({ ok: false, error: { reason: 'body' } });
    expect(log.lines).toMatchObject([{ level: 'error', fields: { node: 'm1', collector: 'facts' } }]);
    expect(await runner.poll(job)).toBeDefined();
  });
});

describe('a permit', () => {
  it('lets all callers join the poll in flight', async () => {
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

  it('of a read that ignores its abort is held for a while, and then expires', async () => {
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

  it('of a read that comes back late is free at once, also for the next holder', async () => {
    let comeBack: (() => void) | undefined;
    const { clock, runner, job } = setUp(
      () => new Promise((resolve) => (comeBack = () => resolve(ok('much too late')))),
    );
    const result = runner.poll(job);
    await clock.advance(1000 + abortGrace);
    expect((await result)?.result.ok).toBe(false);
    comeBack?.();
    await clock.settle();
    expect(runner.poll(job)).toBeDefined();
    runner.stop();
    await clock.advance(abortGrace);
  });

  it('is not given back by a read that had already lost it', async () => {
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

describe('stopping', () => {
  it('ends all reads at once, and leaves no timer', async () => {
    const { clock, runner, job } = setUp(untilAborted());
    const one = runner.poll(job);
    const other = runner.poll({ ...job, db: { cluster: 'prod', node: 'm2' } as GraphDb });
    runner.stop();
    await runner.idle();
    expect([(await one)?.result.ok, (await other)?.result.ok]).toEqual([false, false]);
    expect(clock.sleeping).toBe(0);
  });

  it('waits no longer than the grace for a read that ignores it', async () => {
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
