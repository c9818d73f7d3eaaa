import { describe, expect, it } from 'vitest';
import { readAbortOrder, readBreakerOrder } from '../../src/guard/operator-orders.ts';
import { err, ok } from '../../src/kernel/result.ts';

describe('an order to abort', () => {
  it.each([
    [{ reason: 'it hurts' }, { reason: 'it hurts', whilePaused: false }],
    [
      { reason: '  störts  ', whilePaused: true },
      { reason: 'störts', whilePaused: true },
    ],
    [{ reason: 'x'.repeat(500) }, { reason: 'x'.repeat(500), whilePaused: false }],
    [{ reason: '痛い 🙂' }, { reason: '痛い 🙂', whilePaused: false }],
  ])('is %j', (body, expected) => {
    expect(readAbortOrder(JSON.stringify(body))).toEqual(ok(expected));
  });

  it.each<[unknown, string]>([
    [{}, 'reason is missing'],
    [{ reason: ' \t ' }, 'reason is missing'],
    [{ reason: 7 }, 'reason is no text'],
    [{ reason: 'x'.repeat(501) }, 'reason is longer than 500 characters'],
    ...['a\nb', 'a\u001B[31m', 'a\u0000b', 'a\u202Eb', 'a\u200Bb', 'a\u2028b', 'a\uD800'].map(
      (reason): [unknown, string] => [{ reason }, 'reason holds what cannot be printed'],
    ),
    [{ reason: 'x', whilePaused: 'yes' }, 'whilePaused is true or false'],
    [{ reason: 'x', force: true }, 'only reason and whilePaused are known'],
    [[], 'the body must be a JSON object'],
    [null, 'the body must be a JSON object'],
  ])('is not %j', (body, complaint) => {
    expect(readAbortOrder(JSON.stringify(body))).toEqual(err(complaint));
  });

  it.each(['', '{', 'reason=x'])('is not %j', (body) => {
    expect(readAbortOrder(body)).toEqual(err('the body must be a JSON object'));
  });
});

describe('an order to close a breaker', () => {
  it('names both', () => {
    const order = { cluster: 'prod', breaker: 'no_relief runaway' };
    expect(readBreakerOrder(JSON.stringify(order))).toEqual(ok(order));
    expect(readBreakerOrder('{}')).toEqual(err('cluster is missing; breaker is missing'));
    expect(readBreakerOrder(JSON.stringify({ ...order, all: 1 }))).toEqual(err('only cluster and breaker are known'));
    expect(readBreakerOrder(JSON.stringify({ ...order, breaker: 'x'.repeat(1001) }))).toEqual(
      err('breaker is too long'),
    );
    expect(readBreakerOrder(JSON.stringify({ cluster: 7, breaker: '' }))).toEqual(
      err('cluster is no text; breaker is missing'),
    );
  });
});
