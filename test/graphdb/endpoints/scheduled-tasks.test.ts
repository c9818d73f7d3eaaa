import { describe, expect, it } from 'vitest';
import { rebuildGraph, removeExpiredTokens } from '../../../src/graphdb/endpoints/scheduled-tasks.ts';
import { callerOver, factsOf, failureOf, neverAborted } from '../../support/client.ts';
import { answer, FakePool } from '../../support/fake-pool.ts';

const done = { error: false, message: 'RebuildNow finished, please check details in the folder: /tmp/rebuildnow' };

describe('the rebuild of a graph', () => {
  it.each([
    ['4.1', 'POST /restpp/rebuildnow/fraud'],
    ['3.9', 'POST /rebuildnow/fraud'],
  ])('is one request of %s', async (serverVersion, request) => {
    const pool = new FakePool([request, answer({ ...done, results: [], code: 'REST-0000' })]);
    const caller = callerOver(pool, { serverVersion });
    expect(factsOf(await rebuildGraph(caller, 'fraud', neverAborted()))).toBe(0);
  });

  it('fails if the server refuses it', async () => {
    const pool = new FakePool(['POST /restpp/rebuildnow/fraud', answer({ error: true, message: '' }, 403)]);
    const caller = callerOver(pool, { serverVersion: '4.1' });
    expect(failureOf(await rebuildGraph(caller, 'fraud', neverAborted())).reason).toBe('auth');
  });
});

describe('the removal of expired tokens', () => {
  it.each(['4.1', '3.9'])('is one request of %s without a body', async (serverVersion) => {
    const pool = new FakePool(['DELETE /gsqlserver/gsql/expiredtoken', answer({ error: false, message: '' })]);
    const caller = callerOver(pool, { serverVersion });
    expect(factsOf(await removeExpiredTokens(caller, neverAborted()))).toBe(0);
    expect(pool.requests?.[0]?.body).toBeUndefined();
  });

  it('fails if the server reports an error', async () => {
    const pool = new FakePool(['DELETE /gsqlserver/gsql/expiredtoken', answer({ error: true, message: 'no' })]);
    const caller = callerOver(pool, { serverVersion: '4.1' });
    expect(failureOf(await removeExpiredTokens(caller, neverAborted())).reason).toBe('body');
  });
});
