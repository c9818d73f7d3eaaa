import { describe, expect, it } from 'vitest';
import { fetchDataSources } from '../../../src/graphdb/endpoints/data-sources.ts';
import { callerOver, factsOf, failureOf, neverAborted } from '../../support/client.ts';
import { answer, FakePool } from '../../support/fake-pool.ts';

const current = 'GET /gsql/v1/data-sources';
const secret = 'CANARY4711';

function read(results: unknown, request = current, serverVersion = '4.1'): ReturnType<typeof fetchDataSources> {
  const pool = new FakePool([request, answer({ error: false, message: '', results })]);
  return fetchDataSources(callerOver(pool, { serverVersion }), neverAborted());
}

const documented = {
  name: 'archive',
  belongTo: 'fraud',
  type: 'S3',
  content: { 'access.key': secret, 'secret.key': secret, type: 's3' },
  isLocal: true,
};

describe('the data sources', () => {
  it.each([
    ['4.1', current],
    ['3.9', 'GET /gsqlserver/gsql/data-sources'],
  ])('are requested in the path form of %s, and omit their configuration', async (version, request) => {
    const sources = factsOf(await read([documented], request, version));
    expect(sources).toEqual([
      {
        name: 'fraud/archive',
        type: 'S3',
        graph: 'fraud',
        parts: ['type S3'],
        configuration: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
    expect(JSON.stringify(sources)).not.toContain(secret);
  });

  it('have another digest for another configuration, and the same for the same', async () => {
    const digestOf = async (content: unknown): Promise<string | undefined> =>
      factsOf(await read([{ ...documented, content }]))[0]?.configuration;
    const [one, same, other] = [await digestOf({ a: 1 }), await digestOf({ a: 1 }), await digestOf({ a: 2 })];
    expect([one === same, one === other]).toEqual([true, false]);
  });

  it('accept absent and unknown fields, and have the type of the configuration', async () => {
    const sources = factsOf(await read([{ name: 'a' }, { name: 'b', content: { type: 'kafka' }, new_field: [1] }]));
    expect(sources.map(({ name, type, graph }) => [name, type, graph])).toEqual([
      ['a', '', ''],
      ['b', 'KAFKA', ''],
    ]);
  });

  it('require only a name', async () => {
    expect(factsOf(await read([{ name: 'good', type: {}, belongTo: [] }])).map(({ name }) => name)).toEqual(['good']);
  });

  it.each([{}, { name: '' }, { name: 7 }, null, 'text'])(
    'fail with the reason body if one has no valid name: %j',
    async (entry) => {
      expect(failureOf(await read([documented, entry])).reason).toBe('body');
    },
  );

  it.each(['"><b>', 'a\nb', '__proto__', "it's"])('accept the name %j', async (name) => {
    expect(factsOf(await read([{ ...documented, name }]))).toMatchObject([{ name: `fraud/${name}` }]);
  });

  it.each([
    [403, 'auth'],
    [404, 'unsupported'],
  ] as const)('are a failure for the status %i: %s', async (status, reason) => {
    const pool = new FakePool([current, answer({ error: true, message: 'no' }, status)]);
    const caller = callerOver(pool, { serverVersion: '4.1' });
    expect(failureOf(await fetchDataSources(caller, neverAborted())).reason).toBe(reason);
  });

  it('fail with the reason body for an answer without a list', async () => {
    expect(failureOf(await read({ archive: documented })).reason).toBe('body');
  });
});
