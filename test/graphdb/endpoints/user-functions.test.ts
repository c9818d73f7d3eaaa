import { describe, expect, it } from 'vitest';
import { fetchUserFunctions } from '../../../src/graphdb/endpoints/user-functions.ts';
import { callerOver, factsOf, failureOf, neverAborted } from '../../support/client.ts';
import { answer, FakePool } from '../../support/fake-pool.ts';

type Reply = ReturnType<typeof answer>;

const lacking = answer({ error: true, message: 'no such endpoint' }, 404);
const secret = 'CANARY4711';

function success(results: unknown): Reply {
  return answer({ error: false, message: '', results });
}

interface Replies {
  readonly files?: readonly [Reply, Reply, Reply];
  readonly library?: Reply;
  readonly tuples?: Reply;
}

const texts = [success(`int one() { ${secret} }`), success({ code: 'two' }), success('three')] as const;
const algorithm = { name: 'algo.wcc', query: `CREATE TEMPLATE QUERY ${secret}`, params: { limit: { type: 'INT64' } } };
const pair = { name: 'Pair', fields: [{ fieldName: 'at', length: 8, fieldType: 'DATETIME' }, { fieldName: 'n' }] };

const requests = {
  '4.1': {
    file: 'GET /gsql/v1/udt/files/',
    library: 'GET /gsql/v1/library/.*?isRegularExpression=true',
    tuples: 'GET /gsql/v1/udt/tuples',
  },
  '3.9': {
    file: 'GET /gsqlserver/gsql/udt/files/',
    library: 'GET /gsql/library?isRegularExpression=true&functionName=.*',
    tuples: 'GET /gsqlserver/gsql/udtlist',
  },
};

function read(
  { files = texts, library = success([algorithm]), tuples = success([pair]) }: Replies,
  version: keyof typeof requests = '4.1',
): ReturnType<typeof fetchUserFunctions> {
  const paths = requests[version];
  const pool = new FakePool(
    [`${paths.file}ExprFunctions`, files[0]],
    [`${paths.file}ExprUtil`, files[1]],
    [`${paths.file}TokenBank`, files[2]],
    [paths.library, library],
    [paths.tuples, tuples],
  );
  return fetchUserFunctions(callerOver(pool, { serverVersion: version }), neverAborted());
}

const sha256 = /^[0-9a-f]{64}$/;

describe('the functions of users', () => {
  it.each(['4.1', '3.9'] as const)('are requested in the path form of %s, and keep no text', async (version) => {
    const facts = factsOf(await read({}, version));
    expect(facts).toEqual({
      digests: ['ExprFunctions', 'ExprUtil', 'TokenBank', 'library', 'tuples'].map((code) => ({
        code,
        digest: expect.stringMatching(sha256),
      })),
      items: [
        { list: 'library', name: 'algo.wcc', parts: [expect.stringMatching(/^sha256 [0-9a-f]{12}$/)] },
        { list: 'tuples', name: 'Pair', parts: ['at DATETIME(8)', 'n '] },
      ],
      counts: { library: 1, tuples: 1 },
    });
    expect(JSON.stringify(facts)).not.toContain(secret);
  });

  it('have another digest when one text changes, and the same in another order', async () => {
    const digestsOf = async (replies: Replies): Promise<readonly string[]> =>
      factsOf(await read(replies)).digests.map(({ digest }) => digest);
    const [before, file, reordered, changed] = [
      await digestsOf({ library: success([algorithm, { name: 'b' }]) }),
      await digestsOf({ library: success([algorithm, { name: 'b' }]), files: [success('x'), texts[1], texts[2]] }),
      await digestsOf({ library: success([{ name: 'b' }, algorithm]) }),
      await digestsOf({ library: success([{ ...algorithm, query: 'other' }, { name: 'b' }]) }),
    ];
    const differences = (after: readonly string[]) => after.map((digest, at) => digest !== before[at]);
    expect(differences(file)).toEqual([true, false, false, false, false]);
    expect(differences(reordered)).toEqual([false, false, false, false, false]);
    expect(differences(changed)).toEqual([false, false, false, true, false]);
  });

  it('are polled without the parts that the server lacks', async () => {
    const facts = factsOf(await read({ files: [texts[0], texts[1], lacking], library: lacking, tuples: lacking }));
    expect(facts.digests.map(({ code, digest }) => [code, digest === ''])).toEqual([
      ['ExprFunctions', false],
      ['ExprUtil', false],
      ['TokenBank', true],
    ]);
    expect([facts.items, facts.counts]).toEqual([[], {}]);
  });

  it('are unsupported on a server that lacks all parts', async () => {
    const nothing = { files: [lacking, lacking, lacking] as const, library: lacking, tuples: lacking };
    expect(failureOf(await read(nothing))).toMatchObject({ reason: 'unsupported' });
  });

  it('skip entries without a name, and keep the first thousand of many', async () => {
    const many = Array.from({ length: 10_000 }, (_, at) => ({ name: `f${at}` }));
    const odd = [{}, { name: '' }, { name: 7 }, null, 'text', { name: 'good', fields: [7, {}, null] }];
    const facts = factsOf(await read({ library: success(many), tuples: success(odd) }));
    expect([facts.counts, facts.items.length]).toEqual([{ library: 10_000, tuples: 1 }, 1001]);
    expect(facts.items.at(-1)).toEqual({ list: 'tuples', name: 'good', parts: [] });
  });

  it.each(['"><b>', 'a\nb', '__proto__', "it's"])('accept the name %j', async (name) => {
    const facts = factsOf(await read({ library: success([{ name }]), tuples: success([{ name }]) }));
    expect(facts.items.map((item) => item.name)).toEqual([name, name]);
  });

  it.each([
    [401, 'auth'],
    [500, 'status'],
  ] as const)('are a failure for the status %i of a file: %s', async (status, reason) => {
    const pool = new FakePool(['GET /gsql/v1/udt/files/ExprFunctions', answer({ error: true }, status)]);
    const caller = callerOver(pool, { serverVersion: '4.1' });
    expect(failureOf(await fetchUserFunctions(caller, neverAborted())).reason).toBe(reason);
  });

  it('are body for a file without an envelope, because an error page must not count as a change', async () => {
    const pool = new FakePool(['GET /gsql/v1/udt/files/ExprFunctions', answer({ code: 'text' })]);
    const caller = callerOver(pool, { serverVersion: '4.1' });
    expect(failureOf(await fetchUserFunctions(caller, neverAborted())).reason).toBe('body');
  });
});
