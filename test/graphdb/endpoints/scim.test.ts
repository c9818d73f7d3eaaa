import { describe, expect, it } from 'vitest';
import { fetchScimCount } from '../../../src/graphdb/endpoints/scim.ts';
import { callerOver, factsOf, failureOf, neverAborted } from '../../support/client.ts';
import { answer, FakePool } from '../../support/fake-pool.ts';

const requests = {
  scimUsers: 'GET /gsql/scim/v2/Users?excludedAttributes=names',
  scimGroups: 'GET /gsql/scim/v2/Groups?excludedAttributes=members',
} as const;

function read(name: keyof typeof requests, body: object, status = 200, serverVersion = '4.1') {
  const pool = new FakePool([requests[name], answer(body, status)]);
  return fetchScimCount(callerOver(pool, { serverVersion }), name, neverAborted());
}

const list = { startIndex: 1, itemsPerPage: 100, schemas: true, Resources: [{ id: 'u1', userName: 'CANARY' }] };

describe('the number of entries over SCIM', () => {
  it.each(['scimUsers', 'scimGroups'] as const)('is that of the envelope, in both path forms: %s', async (name) => {
    for (const version of ['4.1', '3.9'])
      expect(factsOf(await read(name, { ...list, totalResults: 250 }, 200, version))).toBe(250);
    expect(factsOf(await read(name, { totalResults: '7', newField: {} }))).toBe(7);
  });

  it.each([{}, { totalResults: null }, { totalResults: -1 }, { totalResults: 1.5 }, { totalResults: 'many' }])(
    'fails with the reason body for %j',
    async (body) => {
      const { reason, message } = failureOf(await read('scimUsers', body));
      expect([reason, message]).toEqual([
        'body',
        'GET /gsql/scim/v2/Users on m1: the response has no number of entries',
      ]);
    },
  );

  it.each([
    [401, 'auth'],
    [403, 'auth'],
    [404, 'unsupported'],
  ] as const)('is a failure for the status %i: %s', async (status, reason) => {
    expect(failureOf(await read('scimGroups', { error: true, message: 'no' }, status)).reason).toBe(reason);
  });
});
