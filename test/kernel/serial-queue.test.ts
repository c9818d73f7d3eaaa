import { describe, expect, it } from 'vitest';
import { SerialQueue } from '../../src/kernel/serial-queue.ts';

describe('SerialQueue', () => {
  it('runs work one item after another, in order', async () => {
    const queue = new SerialQueue();
    const first = Promise.withResolvers<string>();
    const log: string[] = [];
    const one = queue.run(async () => {
      log.push('first starts');
      const result = await first.promise;
      log.push('first ends');
      return result;
    });
    const two = queue.run(() => {
      log.push('second');
      return 2;
    });
    await Promise.resolve();
    expect(log).toEqual(['first starts']);
    first.resolve('done');
    expect(await one).toBe('done');
    expect(await two).toBe(2);
    expect(log).toEqual(['first starts', 'first ends', 'second']);
  });

  it('continues after work that rejects', async () => {
    const queue = new SerialQueue();
    const failing = queue.run(() => Promise.reject(new Error('bug')));
    const next = queue.run(() => 'next');
    await expect(failing).rejects.toThrow('bug');
    expect(await next).toBe('next');
  });

  it('is idle when all work has ended', async () => {
    const queue = new SerialQueue();
    await queue.idle();
    let ended = false;
    void queue.run(async () => {
      await Promise.resolve();
      ended = true;
    });
    await queue.idle();
    expect(ended).toBe(true);
  });
});
