import { describe, expect, it } from 'vitest';
import { type FailureReason, failure, failureReasons } from '../../../src/kernel/failure.ts';
import { err } from '../../../src/kernel/result.ts';
import { judge } from '../../../src/notify/notifiers/judge.ts';
import { answer } from '../../support/fake-pool.ts';

const reading = { accept: () => ({ kind: 'accepted' }) as const, explain: () => 'because' };
const now = Date.UTC(2026, 8, 22, 4, 53, 20);

function kindOf(status: number, headers: Readonly<Record<string, string>> = {}): string {
  return judge(answer('', status, headers), now, reading).kind;
}

describe('what an answer means', () => {
  it('every status has its meaning', () => {
    const meant = Object.groupBy(
      Array.from({ length: 500 }, (_, at) => at + 100),
      (status) => kindOf(status),
    );
    expect(meant.accepted).toEqual(Array.from({ length: 100 }, (_, at) => at + 200));
    expect(meant.limited).toEqual([429]);
    expect(meant.broken).toEqual([...Array.from({ length: 100 }, (_, at) => at + 300), 401, 403, 404, 410]);
    const refused = meant.refused ?? [];
    expect(refused).toEqual(expect.arrayContaining([400, 402, 405, 409, 413, 422, 499]));
    expect(refused.every((status) => status >= 400 && status < 500)).toBe(true);
    expect(meant.unavailable).toEqual(expect.arrayContaining([408, 425, 500, 502, 503, 504, 529, 599]));
    expect(refused).toHaveLength(100 - 7);
  });

  it('a receiver says how long it wants to be left alone', () => {
    expect(judge(answer('', 429, { 'retry-after': '30' }), now, reading)).toMatchObject({
      kind: 'limited',
      wait: 30_000,
    });
    expect(judge(answer('', 429), now, reading)).toEqual({
      kind: 'limited',
      message: 'answered with status 429: because',
    });
    const date = { 'retry-after': 'Tue, 22 Sep 2026 04:55:20 GMT' };
    expect(judge(answer('', 503, date), now, reading)).toMatchObject({ kind: 'limited', wait: 120_000 });
    expect(kindOf(503, { 'retry-after': 'later' })).toBe('unavailable');
    expect(kindOf(500, { 'retry-after': '30' })).toBe('unavailable');
  });

  it('a server that answers counts as answering, whatever it says', () => {
    expect(judge(answer('', 500), now, reading)).toEqual({
      kind: 'unavailable',
      answered: true,
      timedOut: false,
      message: 'answered with status 500: because',
    });
  });

  it('without an answer, every reason has its meaning', () => {
    const meanings = Object.fromEntries(
      failureReasons.map((reason) => [reason, judge(err(failure(reason, 'why')), now, reading)]),
    );
    const away = { kind: 'unavailable', answered: false, timedOut: false, message: 'why' };
    const there = { ...away, answered: true };
    expect(meanings).toEqual({
      timeout: { ...away, timedOut: true },
      unreachable: away,
      tls: away,
      auth: { kind: 'broken', message: 'why' },
      status: away,
      body: there,
      too_large: there,
      unsupported: away,
    } satisfies Record<FailureReason, unknown>);
  });

  it('a redirect, which the pool never follows, is a wrong address', () => {
    const redirect = err(failure('unreachable', 'the server redirects', { status: 302 }));
    expect(judge(redirect, now, reading)).toEqual({
      kind: 'broken',
      message: 'answered with status 302: the server redirects',
    });
  });
});
