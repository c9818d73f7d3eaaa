import { describe, expect, it } from 'vitest';
import { createBoundedWorker } from '../../src/runtime/bounded-worker.ts';
import { FakeClock } from '../support/clock.ts';

/** Threads that answer as `work` does; the numbers of those that were started and stopped. */
function setUp(work: (question: unknown) => Promise<unknown>) {
  const clock = new FakeClock();
  const threads = { started: 0, stopped: 0 };
  const open = () => {
    threads.started += 1;
    return {
      ask: work,
      stop: async () => {
        threads.stopped += 1;
      },
    };
  };
  return { clock, threads, worker: createBoundedWorker(open, clock) };
}

const never = new AbortController().signal;

describe('a bounded worker', () => {
  it('starts one thread with the first request, and answers in order', async () => {
    const { threads, worker } = setUp(async (question) => [question]);
    expect(threads.started).toBe(0);
    expect(await Promise.all([worker.ask(1, [], never), worker.ask(2, [], never)])).toEqual([[1], [2]]);
    expect(threads).toEqual({ started: 1, stopped: 0 });
  });

  it('replaces a thread that failed, and loses this request only', async () => {
    const { threads, worker } = setUp(async (question) => {
      if (question === 'bad') throw new Error('out of memory');
      return question;
    });
    const replies = ['good', 'bad', 'next'].map((question) => worker.ask(question, [], never));
    expect(await Promise.all(replies)).toEqual(['good', undefined, 'next']);
    expect(threads).toEqual({ started: 2, stopped: 1 });
  });

  it('replaces a thread that exceeds the deadline', async () => {
    const { clock, threads, worker } = setUp((question) =>
      question === 'endless' ? new Promise(() => undefined) : Promise.resolve(question),
    );
    const replies = Promise.all([worker.ask('endless', [], never), worker.ask('next', [], never)]);
    await clock.advance(10_000);
    expect(await replies).toEqual([undefined, 'next']);
    expect(threads).toEqual({ started: 2, stopped: 1 });
  });

  it('does not wait for a request that its asker has given up, nor starts it', async () => {
    const { worker } = setUp(() => new Promise(() => undefined));
    const given = new AbortController();
    const replies = [worker.ask(1, [], given.signal), worker.ask(2, [], given.signal)];
    given.abort();
    expect(await Promise.all(replies)).toEqual([undefined, undefined]);
  });

  it('ends the thread of a request that its asker gives up, so that the next one does not wait', async () => {
    const { threads, worker } = setUp((question) =>
      question === 'endless' ? new Promise(() => undefined) : Promise.resolve(question),
    );
    const given = new AbortController();
    const replies = [worker.ask('endless', [], given.signal), worker.ask('next', [], never)];
    await new Promise((resolve) => setImmediate(resolve));
    given.abort();
    expect(await Promise.all(replies)).toEqual([undefined, 'next']);
    expect(threads).toEqual({ started: 2, stopped: 1 });
  });

  it('ends a thread soon after a large request, whose garbage it would keep, and serves others until then', async () => {
    const { clock, threads, worker } = setUp(async (question) => question);
    await worker.ask(1, [new Uint8Array(4 * 1_048_576 - 1)], never);
    await clock.advance(5000);
    await worker.ask(2, [new Uint8Array(4 * 1_048_576)], never);
    await clock.advance(2000);
    expect(await worker.ask(3, [], never)).toBe(3);
    await clock.advance(2000);
    expect(threads).toEqual({ started: 1, stopped: 0 });
    await clock.advance(2000);
    expect(threads).toEqual({ started: 1, stopped: 1 });
    await worker.ask(4, [], never);
    await clock.advance(5000);
    expect(threads).toEqual({ started: 2, stopped: 1 });
  });

  it('ends an idle thread', async () => {
    const { clock, threads, worker } = setUp(async (question) => question);
    await worker.ask(1, [], never);
    await clock.advance(119_000);
    await worker.ask(2, [], never);
    await clock.advance(119_000);
    expect(threads).toEqual({ started: 1, stopped: 0 });
    await clock.advance(2000);
    expect(threads).toEqual({ started: 1, stopped: 1 });
    expect(await worker.ask(3, [], never)).toBe(3);
    expect(threads.started).toBe(2);
  });
});
