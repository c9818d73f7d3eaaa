import { describe, expect, it } from 'vitest';
import { waitAtMost, waitUnlessAborted, withDeadline } from '../../src/kernel/deadline.ts';
import { neverAborted } from '../support/client.ts';
import { FakeClock } from '../support/clock.ts';

function untilAborted(signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve('aborted')));
}

describe('withDeadline', () => {
  it('returns the result of the work, leaves no timer and does not abort the signal', async () => {
    const clock = new FakeClock();
    let seen: AbortSignal | undefined;
    const work = async (signal: AbortSignal): Promise<string> => {
      seen = signal;
      return 'done';
    };
    expect(await withDeadline(clock, 1000, work)).toBe('done');
    await clock.settle();
    expect(clock.sleeping).toBe(0);
    expect(seen?.aborted).toBe(false);
  });

  it('aborts the work when its time is over, and not before', async () => {
    const clock = new FakeClock();
    let aborted = false;
    const work = withDeadline(clock, 1000, async (signal) => {
      await clock.sleep(5000, signal);
      aborted = signal.aborted;
      return 'done';
    });
    await clock.advance(999);
    expect(aborted).toBe(false);
    await clock.advance(1);
    expect(await work).toBe('done');
    expect(aborted).toBe(true);
  });

  it('aborts the work when the parent signal aborts', async () => {
    const parent = new AbortController();
    const work = withDeadline(new FakeClock(), 1000, untilAborted, parent.signal);
    parent.abort();
    expect(await work).toBe('aborted');
  });

  it('rejects when the work rejects, and leaves no timer', async () => {
    const clock = new FakeClock();
    await expect(withDeadline(clock, 1000, () => Promise.reject(new Error('bug')))).rejects.toThrow('bug');
    await clock.settle();
    expect(clock.sleeping).toBe(0);
  });
});

describe('waitAtMost', () => {
  it('returns the result and leaves no timer', async () => {
    const clock = new FakeClock();
    expect(await waitAtMost(clock, 1000, Promise.resolve(7))).toBe(7);
    await clock.settle();
    expect(clock.sleeping).toBe(0);
  });

  it('returns undefined when the time is over', async () => {
    const clock = new FakeClock();
    const waiting = waitAtMost(clock, 1000, Promise.withResolvers<number>().promise);
    await clock.advance(1000);
    expect(await waiting).toBeUndefined();
  });

  it('returns undefined when the signal aborts', async () => {
    const stop = new AbortController();
    const waiting = waitAtMost(new FakeClock(), 1000, Promise.withResolvers<number>().promise, stop.signal);
    stop.abort();
    expect(await waiting).toBeUndefined();
  });
});

describe('waitUnlessAborted', () => {
  it('returns the result of shared work', async () => {
    expect(await waitUnlessAborted(Promise.resolve(7), neverAborted())).toBe(7);
  });

  it('returns undefined when the signal aborts, and the work continues', async () => {
    const stop = new AbortController();
    const shared = Promise.withResolvers<number>();
    const waiting = waitUnlessAborted(shared.promise, stop.signal);
    stop.abort();
    expect(await waiting).toBeUndefined();
    shared.resolve(7);
    expect(await shared.promise).toBe(7);
  });

  it('does not wait with a signal that is already aborted', async () => {
    expect(await waitUnlessAborted(Promise.resolve(7), AbortSignal.abort())).toBeUndefined();
  });
});
