import { describe, expect, it } from 'vitest';
import { createTurnstile } from '../../src/runtime/turnstile.ts';

const forever = new AbortController().signal;

describe('a turnstile', () => {
  it('lets as many in as there are places', async () => {
    const turnstile = createTurnstile(2);
    expect(await Promise.all([turnstile.enter(forever), turnstile.enter(forever)])).toEqual([true, true]);
  });

  it('lets the others in one by one, in the order in which they came', async () => {
    const turnstile = createTurnstile(1);
    const order: string[] = [];
    await turnstile.enter(forever);
    const first = turnstile.enter(forever).then(() => order.push('first'));
    const second = turnstile.enter(forever).then(() => order.push('second'));
    expect(order).toEqual([]);
    turnstile.leave();
    await first;
    expect(order).toEqual(['first']);
    turnstile.leave();
    await second;
    expect(order).toEqual(['first', 'second']);
  });

  it('hands a place on, and makes no second one of it', async () => {
    const turnstile = createTurnstile(1);
    await turnstile.enter(forever);
    const next = turnstile.enter(forever);
    turnstile.leave();
    await next;
    const impatient = new AbortController();
    const third = turnstile.enter(impatient.signal);
    impatient.abort();
    expect(await third).toBe(false);
  });

  it('tells who gave up, and forgets it', async () => {
    const turnstile = createTurnstile(1);
    const impatient = new AbortController();
    await turnstile.enter(forever);
    const waiting = turnstile.enter(impatient.signal);
    const behind = turnstile.enter(forever);
    impatient.abort();
    expect(await waiting).toBe(false);
    turnstile.leave();
    expect(await behind).toBe(true);
  });

  it('keeps out whoever has given up already, although there is a place', async () => {
    const turnstile = createTurnstile(1);
    expect(await turnstile.enter(AbortSignal.abort())).toBe(false);
    expect(await turnstile.enter(forever)).toBe(true);
  });

  it('has its place back after everybody has left', async () => {
    const turnstile = createTurnstile(1);
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await turnstile.enter(forever)).toBe(true);
      turnstile.leave();
    }
  });
});
