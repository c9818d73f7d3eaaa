import { describe, expect, it } from 'vitest';
import { createSemaphore } from '../../src/runtime/semaphore.ts';

const forever = new AbortController().signal;

describe('a semaphore', () => {
  it('admits as many callers as it has permits', async () => {
    const semaphore = createSemaphore(2);
    expect(await Promise.all([semaphore.acquire(true, forever), semaphore.acquire(true, forever)])).toEqual([
      true,
      true,
    ]);
  });

  it('admits the other callers one by one in the order of arrival', async () => {
    const semaphore = createSemaphore(1);
    const order: string[] = [];
    await semaphore.acquire(true, forever);
    const first = semaphore.acquire(true, forever).then(() => order.push('first'));
    const second = semaphore.acquire(true, forever).then(() => order.push('second'));
    expect(order).toEqual([]);
    semaphore.release(true);
    await first;
    expect(order).toEqual(['first']);
    semaphore.release(true);
    await second;
    expect(order).toEqual(['first', 'second']);
  });

  it('passes a released permit on without duplicating it', async () => {
    const semaphore = createSemaphore(1);
    await semaphore.acquire(true, forever);
    const next = semaphore.acquire(true, forever);
    semaphore.release(true);
    await next;
    const impatient = new AbortController();
    const third = semaphore.acquire(true, impatient.signal);
    impatient.abort();
    expect(await third).toBe(false);
  });

  it('rejects a caller whose signal aborts, and removes it from the queue', async () => {
    const semaphore = createSemaphore(1);
    const impatient = new AbortController();
    await semaphore.acquire(true, forever);
    const waiting = semaphore.acquire(true, impatient.signal);
    const behind = semaphore.acquire(true, forever);
    impatient.abort();
    expect(await waiting).toBe(false);
    semaphore.release(true);
    expect(await behind).toBe(true);
  });

  it('rejects a caller whose signal has already aborted, even if a permit is free', async () => {
    const semaphore = createSemaphore(1);
    expect(await semaphore.acquire(true, AbortSignal.abort())).toBe(false);
    expect(await semaphore.acquire(true, forever)).toBe(true);
  });

  it('has its permit back after each release', async () => {
    const semaphore = createSemaphore(1);
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await semaphore.acquire(true, forever)).toBe(true);
      semaphore.release(true);
    }
  });

  it('reserves one permit for urgent callers and admits them first', async () => {
    const semaphore = createSemaphore(3);
    const order: string[] = [];
    const enter = (name: string, urgent: boolean): Promise<unknown> =>
      semaphore.acquire(urgent, forever).then(() => order.push(name));
    await Promise.all([enter('slow 1', false), enter('slow 2', false)]);
    void enter('slow 3', false);
    await enter('ping', true);
    expect(order).toEqual(['slow 1', 'slow 2', 'ping']);
    const next = enter('next ping', true);
    semaphore.release(false);
    await next;
    expect(order.at(-1)).toBe('next ping');
    semaphore.release(true);
    await expect.poll(() => order.at(-1)).toBe('slow 3');
  });

  it('leaves the other permits to normal callers when an urgent one has the reserve', async () => {
    const semaphore = createSemaphore(3);
    expect(await semaphore.acquire(true, forever)).toBe(true);
    expect(await semaphore.acquire(false, forever)).toBe(true);
    expect(await semaphore.acquire(false, forever)).toBe(true);
  });

  it('reserves no permit if there is only one', async () => {
    const semaphore = createSemaphore(1);
    expect(await semaphore.acquire(false, forever)).toBe(true);
    semaphore.release(false);
    expect(await semaphore.acquire(false, forever)).toBe(true);
  });
});
