import { describe, expect, it } from 'vitest';
import { parseAbortBody, parseBreakerResetBody } from '../../src/guard/operator-requests.ts';
import { err, ok } from '../../src/kernel/result.ts';

describe('abort command of an operator', () => {
  it.each([
    [{ reason: 'node overloaded' }, { reason: 'node overloaded', whilePaused: false }],
    [
      { reason: '  störts  ', whilePaused: true },
      { reason: 'störts', whilePaused: true },
    ],
    [{ reason: '痛い 🙂' }, { reason: '痛い 🙂', whilePaused: false }],
  ])('accepts %j', (body, expected) => {
    expect(parseAbortBody(JSON.stringify(body))).toEqual(ok(expected));
  });

  it.each<[unknown, string]>([
    [{}, 'reason is missing'],
    [{ reason: ' \t ' }, 'reason is missing'],
    [{ reason: 7 }, 'reason must be a string'],
    ...['a\nb', 'a\u001B[31m', 'a\u0000b', 'a\u202Eb', 'a\u200Bb', 'a\u2028b', 'a\uD800'].map(
      (reason): [unknown, string] => [{ reason }, 'reason contains characters that cannot be printed'],
    ),
    [{ reason: 'x', whilePaused: 'yes' }, 'whilePaused must be true or false'],
    [{ reason: 'x', force: true }, 'the body may contain only reason, whilePaused and graph'],
    [[], 'the body must be a JSON object'],
    [null, 'the body must be a JSON object'],
  ])('rejects %j', (body, complaint) => {
    expect(parseAbortBody(JSON.stringify(body))).toEqual(err(complaint));
  });

  it('accepts a reason of at most 500 characters', () => {
    const reason = 'x'.repeat(500);
    expect(parseAbortBody(JSON.stringify({ reason }))).toEqual(ok({ reason, whilePaused: false }));
    expect(parseAbortBody(JSON.stringify({ reason: `${reason}x` }))).toEqual(
      err('reason is longer than 500 characters'),
    );
  });

  it.each(['', '{', 'reason=x'])('rejects %j', (body) => {
    expect(parseAbortBody(body)).toEqual(err('the body must be a JSON object'));
  });
});

describe('reset command of an operator', () => {
  it('has a kind and a name', () => {
    const order = { cluster: 'prod', breaker: 'no_relief runaway' };
    expect(parseBreakerResetBody(JSON.stringify(order))).toEqual(ok(order));
    expect(parseBreakerResetBody('{}')).toEqual(err('cluster is missing; breaker is missing'));
    expect(parseBreakerResetBody(JSON.stringify({ ...order, all: 1 }))).toEqual(
      err('the body may contain only cluster and breaker'),
    );
    expect(parseBreakerResetBody(JSON.stringify({ ...order, breaker: 'x'.repeat(1001) }))).toEqual(
      err('breaker is too long'),
    );
    expect(parseBreakerResetBody(JSON.stringify({ cluster: 7, breaker: '' }))).toEqual(
      err('cluster must be a string; breaker is missing'),
    );
  });
});
