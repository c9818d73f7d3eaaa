import { describe, expect, it } from 'vitest';
import { createTurnstile } from '../../src/runtime/turnstile.ts';

const forever = new AbortController().signal;

describe('a turnstile', () => {
  it('lets as many in as there are places', async () => {
    const turnstile = createTurnstile(2);
    expect(await Promise.all([turnstile.enter(true, forever), turnstile.enter(true, forever)])).toEqual([true, true]);
  });

  it('lets the others in one by one, in the order in which they came', async () => {
    const turnstile = createTurnstile(1);
    const order: string[] = [];
    await turnstile.enter(true, forever);
    const first = turnstile.enter(true, forever).then(() => order.push('first'));
    const second = turnstile.enter(true, forever).then(() => order.push('second'));
    expect(order).toEqual([]);
    turnstile.leave(true);
    await first;
    expect(order).toEqual(['first']);
    turnstile.leave(true);
    await second;
    expect(order).toEqual(['first', 'second']);
  });

  it('hands a place on, and makes no second one of it', async () => {
    const turnstile = createTurnstile(1);
    await turnstile.enter(true, forever);
    const next = turnstile.enter(true, forever);
    turnstile.leave(true);
    await next;
    const impatient = new AbortController();
    const third = turnstile.enter(true, impatient.signal);
    impatient.abort();
    expect(await third).toBe(false);
  });

  it('tells who gave up, and forgets it', async () => {
    const turnstile = createTurnstile(1);
    const impatient = new AbortController();
    await turnstile.enter(true, forever);
    const waiting = turnstile.enter(true, impatient.signal);
    const behind = turnstile.enter(true, forever);
    impatient.abort();
    expect(await waiting).toBe(false);
    turnstile.leave(true);
    expect(await behind).toBe(true);
  });

  it('keeps out whoever has given up already, although there is a place', async () => {
    const turnstile = createTurnstile(1);
    expect(await turnstile.enter(true, AbortSignal.abort())).toBe(false);
    expect(await turnstile.enter(true, forever)).toBe(true);
  });

  it('has its place back after everybody has left', async () => {
    const turnstile = createTurnstile(1);
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await turnstile.enter(true, forever)).toBe(true);
      turnstile.leave(true);
    }
  });

  it('keeps one place for who is urgent, and lets them go first', async () => {
    const turnstile = createTurnstile(3);
    const order: string[] = [];
    const enter = (name: string, urgent: boolean): Promise<unknown> =>
      turnstile.enter(urgent, forever).then(() => order.push(name));
    await Promise.all([enter('slow 1', false), enter('slow 2', false)]);
    void enter('slow 3', false);
    await enter('ping', true);
    expect(order).toEqual(['slow 1', 'slow 2', 'ping']);
    const next = enter('next ping', true);
    turnstile.leave(false);
    await next;
    expect(order.at(-1)).toBe('next ping');
    turnstile.leave(true);
    await expect.poll(() => order.at(-1)).toBe('slow 3');
  });

  it('takes nothing from the others for one that is urgent', async () => {
    const turnstile = createTurnstile(3);
    expect(await turnstile.enter(true, forever)).toBe(true);
    expect(await turnstile.enter(false, forever)).toBe(true);
    expect(await turnstile.enter(false, forever)).toBe(true);
  });

  it('keeps nothing back where there is one place alone', async () => {
    const turnstile = createTurnstile(1);
    expect(await turnstile.enter(false, forever)).toBe(true);
    turnstile.leave(false);
    expect(await turnstile.enter(false, forever)).toBe(true);
  });
});
