import { describe, expect, it } from 'vitest';
import { ScheduledPolls, scheduledTaskLog } from '../../../src/app/poll/scheduled-polls.ts';
import { license } from '../../../src/collect/license.ts';
import { rebuild } from '../../../src/collect/rebuild.ts';
import { failure } from '../../../src/kernel/failure.ts';
import { err, ok } from '../../../src/kernel/result.ts';
import { memoryStore } from '../../../src/runtime/store/local-store.ts';
import { FakeClock } from '../../support/clock.ts';
import { FailingStore } from '../../support/failing-store.ts';
import { recordingLogger } from '../../support/logger.ts';

const hour = 3_600_000;
const start = { cluster: 'prod', collector: 'rebuild', interval: hour };
const instant = { wall: 0, mono: 0 };
const result = { result: ok(1), source: 'm1', started: instant, ended: instant };

function setUp(store = memoryStore(), wall = 1_790_000_000_000) {
  const clock = new FakeClock(wall);
  const log = recordingLogger();
  const polls = new ScheduledPolls({ clock, log, store });
  const reserve = (change: Partial<Parameters<ScheduledPolls['reserve']>[0]> = {}) =>
    polls.reserve({ next: clock.now().wall + hour, ...start, ...change });
  return { clock, log, polls, reserve, store };
}

describe('a task that changes the server', () => {
  it('runs once in its interval, also after a restart', async () => {
    const before = setUp();
    expect(await before.reserve()).toBe(true);
    expect(await before.reserve()).toBe(false);
    const after = setUp(before.store, before.clock.now().wall + hour - 2000);
    expect(await after.reserve()).toBe(false);
    expect(after.log.lines).toEqual([
      {
        level: 'warn',
        message: 'scheduled task skipped',
        fields: { cluster: 'prod', collector: 'rebuild', reason: 'interval' },
      },
    ]);
    await after.clock.advance(2000);
    expect(await after.reserve()).toBe(true);
  });

  it('is independent of other tasks and clusters', async () => {
    const { reserve } = setUp();
    expect(await reserve()).toBe(true);
    expect(await reserve({ cluster: 'test' })).toBe(true);
    expect(await reserve({ collector: 'expired_tokens' })).toBe(true);
  });

  it('does not wait for the next time of a former schedule, or of a clock that was wrong', async () => {
    const { reserve, clock } = setUp();
    expect(await reserve({ interval: 168 * hour, next: clock.now().wall + 168 * hour })).toBe(true);
    expect(await reserve()).toBe(true);
    expect(await reserve()).toBe(false);
  });

  it('keeps the interval if its next time is unknown', async () => {
    const { reserve, clock } = setUp();
    expect(await reserve({ next: undefined })).toBe(true);
    await clock.advance(hour / 2);
    expect(await reserve()).toBe(false);
  });

  it('does not run without durable state', async () => {
    const store = new FailingStore();
    store.isFull = true;
    const { reserve, log } = setUp(store);
    expect(await reserve()).toBe(false);
    expect(log.lines[0]?.fields.error).toEqual(expect.any(String));
  });
});

describe('polls with a schedule', () => {
  it('run one at a time', async () => {
    const { polls } = setUp();
    const first = Promise.withResolvers<typeof result>();
    const began: string[] = [];
    const one = polls.run(() => {
      began.push('one');
      return first.promise;
    });
    const two = polls.runInTurn(async () => {
      began.push('two');
      return result;
    });
    expect(polls.isBusy).toBe(true);
    await Promise.resolve();
    expect(began).toEqual(['one']);
    first.resolve(result);
    await Promise.all([one, two]);
    expect(began).toEqual(['one', 'two']);
    expect(polls.isBusy).toBe(false);
  });
});

describe('the log of scheduled tasks', () => {
  const feed = { cluster: 'prod', collector: 'rebuild', node: '', definition: rebuild, labels: {}, passthrough: false };
  const runs = [
    { graph: 'fraud', outcome: ok(90_000) },
    { graph: 'social', outcome: err(failure('auth', 'status 403')) },
  ];

  it('has a line for each run, complete or partial', () => {
    const log = recordingLogger();
    const listener = scheduledTaskLog(log);
    const partial = { ok: false, error: failure('auth', 'status 403'), partial: runs } as const;
    listener.onPollResult(feed, { ...result, result: partial }, { interval: 0, lifetime: 1 });
    const target = { cluster: 'prod', collector: 'rebuild' };
    expect(log.lines.map(({ level, message, fields }) => [level, message, fields])).toEqual([
      ['info', 'scheduled task finished', { ...target, graph: 'fraud', duration: '1m 30s' }],
      ['warn', 'scheduled task failed', { ...target, graph: 'social', reason: 'auth', error: 'status 403' }],
    ]);
  });

  it('has no line for other collectors, or without runs', () => {
    const log = recordingLogger();
    const timing = { interval: 0, lifetime: 1 };
    scheduledTaskLog(log).onPollResult({ ...feed, definition: license }, { ...result, result: ok(runs) }, timing);
    scheduledTaskLog(log).onPollResult(feed, { ...result, result: err(failure('timeout', 'late')) }, timing);
    expect(log.lines).toEqual([]);
  });
});
