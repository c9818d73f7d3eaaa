import { describe, expect, it } from 'vitest';
import { createBoundedWorker } from '../../src/runtime/bounded-worker.ts';
import { FakeClock } from '../support/clock.ts';

/** Returns a worker whose threads run `work`, and the numbers of threads that were started and stopped. */
function setUp(work: (request: unknown) => Promise<unknown>) {
  const clock = new FakeClock();
  const threads = { started: 0, stopped: 0 };
  const open = () => {
    threads.started += 1;
    return {
      request: work,
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
    const { threads, worker } = setUp(async (request) => [request]);
    expect(threads.started).toBe(0);
    expect(await Promise.all([worker.run(1, [], never), worker.run(2, [], never)])).toEqual([[1], [2]]);
    expect(threads).toEqual({ started: 1, stopped: 0 });
  });

  it('replaces a thread that failed, and loses this request only', async () => {
    const { threads, worker } = setUp(async (request) => {
      if (request === 'bad') throw new Error('out of memory');
      return request;
    });
    const replies = ['good', 'bad', 'next'].map((request) => worker.run(request, [], never));
    expect(await Promise.all(replies)).toEqual(['good', undefined, 'next']);
    expect(threads).toEqual({ started: 2, stopped: 1 });
  });

  it('replaces a thread that exceeds the deadline', async () => {
    const { clock, threads, worker } = setUp((request) =>
      request === 'endless' ? new Promise(() => undefined) : Promise.resolve(request),
    );
    const replies = Promise.all([worker.run('endless', [], never), worker.run('next', [], never)]);
    await clock.advance(10_000);
    expect(await replies).toEqual([undefined, 'next']);
    expect(threads).toEqual({ started: 2, stopped: 1 });
  });

  it('neither waits for a request whose caller aborted it, nor starts it', async () => {
    const { worker } = setUp(() => new Promise(() => undefined));
    const given = new AbortController();
    const replies = [worker.run(1, [], given.signal), worker.run(2, [], given.signal)];
    given.abort();
    expect(await Promise.all(replies)).toEqual([undefined, undefined]);
  });

  it('stops the thread of a request whose caller aborts it, and runs the next one', async () => {
    const { threads, worker } = setUp((request) =>
      request === 'endless' ? new Promise(() => undefined) : Promise.resolve(request),
    );
    const given = new AbortController();
    const replies = [worker.run('endless', [], given.signal), worker.run('next', [], never)];
    await new Promise((resolve) => setImmediate(resolve));
    given.abort();
    expect(await Promise.all(replies)).toEqual([undefined, 'next']);
    expect(threads).toEqual({ started: 2, stopped: 1 });
  });

  it('ends a thread soon after a large request, whose garbage it would keep, and serves others until then', async () => {
    const { clock, threads, worker } = setUp(async (request) => request);
    await worker.run(1, [new Uint8Array(4 * 1_048_576 - 1)], never);
    await clock.advance(5000);
    await worker.run(2, [new Uint8Array(4 * 1_048_576)], never);
    await clock.advance(2000);
    expect(await worker.run(3, [], never)).toBe(3);
    await clock.advance(2000);
    expect(threads).toEqual({ started: 1, stopped: 0 });
    await clock.advance(2000);
    expect(threads).toEqual({ started: 1, stopped: 1 });
    await worker.run(4, [], never);
    await clock.advance(5000);
    expect(threads).toEqual({ started: 2, stopped: 1 });
  });

  it('ends an idle thread', async () => {
    const { clock, threads, worker } = setUp(async (request) => request);
    await worker.run(1, [], never);
    await clock.advance(119_000);
    await worker.run(2, [], never);
    await clock.advance(119_000);
    expect(threads).toEqual({ started: 1, stopped: 0 });
    await clock.advance(2000);
    expect(threads).toEqual({ started: 1, stopped: 1 });
    expect(await worker.run(3, [], never)).toBe(3);
    expect(threads.started).toBe(2);
  });
});
