import { describe, expect, it } from 'vitest';
import { fetchEcho, fetchPing } from '../../../src/graphdb/endpoints/liveness.ts';
import { callerOver, failureOf, neverAborted } from '../../support/client.ts';
import { answer, FakePool } from '../../support/fake-pool.ts';

describe('ping', () => {
  it.each([
    { error: false, message: 'pong', results: null },
    { error: 'false', message: 'pong', results: {} },
  ])('%j is alive', async (body) => {
    expect(await fetchPing(callerOver(new FakePool(['GET /api/ping', answer(body)])), neverAborted())).toEqual({
      ok: true,
      value: true,
    });
  });

  it.each([
    { error: true, message: 'pong' },
    { error: 'true', message: 'pong' },
    { error: false, message: 'moved' },
    { message: 'pong' },
    { status: 'ok' },
  ])('%j is not', async (body) => {
    const result = await fetchPing(callerOver(new FakePool(['GET /api/ping', answer(body)])), neverAborted());
    expect(failureOf(result).reason).toBe('body');
  });
});

describe('echo', () => {
  it('accepts any greeting', async () => {
    const pool = new FakePool(['GET /restpp/echo', answer('{"error":false, "message":"Hello"}')]);
    expect((await fetchEcho(callerOver(pool), neverAborted())).ok).toBe(true);
  });

  it('rejects an error', async () => {
    const pool = new FakePool(['GET /restpp/echo', answer({ error: true, message: 'no' })]);
    expect((await fetchEcho(callerOver(pool, { serverVersion: '4.1' }), neverAborted())).ok).toBe(false);
  });
});
