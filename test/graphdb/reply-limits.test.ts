import { describe, expect, it } from 'vitest';
import { callerOver, failureOf, neverAborted } from '../support/client.ts';
import { answer, FakePool } from '../support/fake-pool.ts';

describe('the limits of a reply', () => {
  it('are those of its endpoint, and of the configuration if that is lower', async () => {
    const pool = new FakePool(
      ['GET /api/ping', answer({ error: false })],
      ['GET /restpp/showprocesslistall', answer({ error: false, results: [] })],
    );
    const caller = callerOver(pool);
    await caller.json('ping', {}, neverAborted());
    await caller.json('processListAll', {}, neverAborted());
    expect(pool.requests.map(({ maxBytes }) => maxBytes)).toEqual([1_048_576, 33_554_432]);
  });

  it('fail the call with too_large and the name of the limit', async () => {
    const deep = `{"error":false,"results":${'['.repeat(40)}${']'.repeat(40)}}`;
    const many = `{"error":false,"results":[${'1,'.repeat(1000)}1]}`;
    const pool = new FakePool(['GET /restpp/echo', answer(deep)], ['GET /restpp/echo', answer(many)]);
    const caller = callerOver(pool);
    const first = failureOf(await caller.json('echo', {}, neverAborted()));
    expect(first).toMatchObject({ reason: 'too_large', limit: 'depth' });
    expect(first.message).toBe('GET /restpp/echo on m1: the response has more than 32 levels');
    expect(failureOf(await caller.json('echo', {}, neverAborted()))).toMatchObject({ limit: 'entries' });
  });
});
