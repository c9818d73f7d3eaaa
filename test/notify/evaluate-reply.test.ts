import { describe, expect, it } from 'vitest';
import { type FailureReason, failure, failureReasons } from '../../src/kernel/failure.ts';
import type { HttpReply } from '../../src/kernel/http.ts';
import { evaluateFailure, evaluateReply } from '../../src/notify/evaluate-reply.ts';
import { alertsNotification } from '../support/notifications.ts';

const context = {
  request: alertsNotification(),
  now: Date.UTC(2026, 8, 22, 4, 53, 20),
  hidden: [],
  excerpt: 'because',
};

function evaluated(status: number, headers: HttpReply['headers'] = {}) {
  return evaluateReply({ status, headers, body: new Uint8Array() }, context);
}

describe('evaluateReply', () => {
  it('maps every status to a result', () => {
    const byKind = Object.groupBy(
      Array.from({ length: 500 }, (_, at) => at + 100),
      (status) => evaluated(status).kind,
    );
    expect(byKind.accepted).toEqual(Array.from({ length: 100 }, (_, at) => at + 200));
    expect(byKind.limited).toEqual([429]);
    expect(byKind.broken).toEqual([...Array.from({ length: 100 }, (_, at) => at + 300), 401, 403, 404, 410]);
    const refused = byKind.refused ?? [];
    expect(refused).toEqual(expect.arrayContaining([400, 402, 405, 409, 413, 422, 499]));
    expect(refused.every((status) => status >= 400 && status < 500)).toBe(true);
    expect(byKind.unavailable).toEqual(expect.arrayContaining([408, 425, 500, 502, 503, 504, 529, 599]));
    expect(refused).toHaveLength(100 - 7);
  });

  it('honors Retry-After of 429 and 503 only', () => {
    expect(evaluated(429, { 'retry-after': '30' })).toMatchObject({ kind: 'limited', wait: 30_000 });
    expect(evaluated(429)).toEqual({ kind: 'limited', message: 'the receiver replied with status 429: because' });
    const date = { 'retry-after': 'Tue, 22 Sep 2026 04:55:20 GMT' };
    expect(evaluated(503, date)).toMatchObject({ kind: 'limited', wait: 120_000 });
    expect(evaluated(503, { 'retry-after': 'later' }).kind).toBe('unavailable');
    expect(evaluated(500, { 'retry-after': '30' }).kind).toBe('unavailable');
  });

  it('limits Retry-After to between 1 second and 15 minutes', () => {
    expect(evaluated(429, { 'retry-after': '0' })).toMatchObject({ wait: 1000 });
    expect(evaluated(429, { 'retry-after': '86400' })).toMatchObject({ wait: 900_000 });
  });

  it('treats a 5xx as a receiver that replies', () => {
    expect(evaluated(500)).toEqual({
      kind: 'unavailable',
      answered: true,
      timedOut: false,
      message: 'the receiver replied with status 500: because',
    });
  });

  it('treats an HTML page with status 200 as a wrong address', () => {
    expect(evaluated(200, { 'content-type': 'text/html; charset=utf-8' })).toMatchObject({ kind: 'broken' });
  });
});

describe('evaluateFailure', () => {
  it('maps every reason to a result', () => {
    const results = Object.fromEntries(
      failureReasons.map((reason) => [reason, evaluateFailure(failure(reason, 'why'))]),
    );
    const noReply = { kind: 'unavailable', answered: false, timedOut: false, message: 'why' };
    const unreadable = { ...noReply, answered: true };
    expect(results).toEqual({
      timeout: { ...noReply, timedOut: true },
      unreachable: noReply,
      tls: { kind: 'broken', message: 'why' },
      auth: { kind: 'broken', message: 'why' },
      status: noReply,
      body: unreadable,
      too_large: unreadable,
      unsupported: noReply,
    } satisfies Record<FailureReason, unknown>);
  });

  it('treats a redirect, which the pool does not follow, as a wrong address', () => {
    expect(
      evaluateFailure(failure('unreachable', 'the server sent a redirect, which is not followed', { status: 302 })),
    ).toEqual({
      kind: 'broken',
      status: 302,
      message: 'the receiver replied with status 302: the server sent a redirect, which is not followed',
    });
  });
});
