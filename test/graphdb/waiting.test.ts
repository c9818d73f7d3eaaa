import { describe, expect, it } from 'vitest';
import { unlessAborted, withDeadline } from '../../src/graphdb/waiting.ts';
import { patient } from '../support/client.ts';
import { FakeClock } from '../support/clock.ts';

describe('withDeadline', () => {
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

  it('leaves no timer behind', async () => {
    const clock = new FakeClock();
    await withDeadline(clock, 1000, async () => 'done');
    await clock.settle();
    expect(clock.sleeping).toBe(0);
  });
});

describe('unlessAborted', () => {
  it('waits for shared work', async () => {
    expect(await unlessAborted(Promise.resolve(7), patient())).toBe(7);
  });

  it('gives up with its own signal and leaves the work alone', async () => {
    const stop = new AbortController();
    const shared = Promise.withResolvers<number>();
    const waiting = unlessAborted(shared.promise, stop.signal);
    stop.abort();
    expect(await waiting).toBeUndefined();
    shared.resolve(7);
    expect(await shared.promise).toBe(7);
  });

  it('does not wait at all with a signal that has aborted', async () => {
    expect(await unlessAborted(Promise.resolve(7), AbortSignal.abort())).toBeUndefined();
  });
});
