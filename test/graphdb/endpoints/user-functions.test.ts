import { describe, expect, it } from 'vitest';
import { createConfirmedFunctions, fetchUserFunctions } from '../../../src/graphdb/endpoints/user-functions.ts';
import { callerOver, factsOf, failureOf, neverAborted } from '../../support/client.ts';
import { answer } from '../../support/fake-pool.ts';

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

/** Answers each request with the last of its replies, or with one after the other; counts the requests by path. */
function poolOf(replies: Readonly<Record<string, Reply | readonly Reply[]>>) {
  const counts = new Map<string, number>();
  const request = async ({ method, path }: { readonly method: string; readonly path: string }): Promise<Reply> => {
    const requested = `${method} ${path}`;
    const count = counts.get(requested) ?? 0;
    counts.set(requested, count + 1);
    const all = [replies[requested] ?? expect.fail(`unexpected request: ${requested}`)].flat();
    return all[Math.min(count, all.length - 1)] ?? lacking;
  };
  return { request, counts: (path: string) => counts.get(path) ?? 0 };
}

function repliesOf(
  { files = texts, library = success([algorithm]), tuples = success([pair]) }: Replies,
  version: keyof typeof requests = '4.1',
) {
  const paths = requests[version];
  return {
    [`${paths.file}ExprFunctions`]: files[0],
    [`${paths.file}ExprUtil`]: files[1],
    [`${paths.file}TokenBank`]: files[2],
    [paths.library]: library,
    [paths.tuples]: tuples,
  };
}

function read(
  replies: Replies,
  version: keyof typeof requests = '4.1',
  state = createConfirmedFunctions(),
): ReturnType<typeof fetchUserFunctions> {
  const caller = callerOver(poolOf(repliesOf(replies, version)), { serverVersion: version });
  return fetchUserFunctions(caller, state, neverAborted());
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

  it('are polled without unsupported parts', async () => {
    const state = createConfirmedFunctions();
    const replies = { files: [texts[0], texts[1], lacking] as const, library: lacking, tuples: lacking };
    const first = factsOf(await read(replies, '4.1', state));
    expect(first.digests.map(({ code }) => code)).toEqual(['ExprFunctions', 'ExprUtil']);
    const facts = factsOf(await read(replies, '4.1', state));
    expect(facts.digests.map(({ code, digest }) => [code, digest === ''])).toEqual([
      ['ExprFunctions', false],
      ['ExprUtil', false],
      ['TokenBank', true],
    ]);
    expect([facts.items, facts.counts]).toEqual([[], {}]);
  });

  it('are unsupported on a server without all parts', async () => {
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
    const files = [answer({ error: true }, status), texts[1], texts[2]] as const;
    expect(failureOf(await read({ files })).reason).toBe(reason);
  });

  it('fail with the reason body for a file without an envelope, because an error page must not count as a change', async () => {
    const files = [answer({ code: 'text' }), texts[1], texts[2]] as const;
    expect(failureOf(await read({ files })).reason).toBe('body');
  });
});

describe('a change of a function file', () => {
  const path = 'GET /gsql/v1/udt/files/ExprFunctions';
  const [one, other] = [success('one'), success('other')];

  /** The digests of a file whose request gets these replies one after the other, in so many polls. */
  async function digestsOf(polls: number, ...replies: readonly Reply[]) {
    const state = createConfirmedFunctions();
    const pool = poolOf({ ...repliesOf({}), [path]: replies });
    const caller = callerOver(pool, { serverVersion: '4.1' });
    const found: (string | undefined)[] = [];
    for (let poll = 0; poll < polls; poll += 1) {
      const facts = await fetchUserFunctions(caller, state, neverAborted());
      found.push(facts.ok ? facts.value.digests.find(({ code }) => code === 'ExprFunctions')?.digest : 'failed');
    }
    return { found, requests: pool.counts(path) };
  }

  it('counts once two replies agree, which one poll requests', async () => {
    const { found, requests: sent } = await digestsOf(3, one, one, one, other, other);
    expect(found[1]).toBe(found[0]);
    expect(found[2]).not.toBe(found[0]);
    expect(sent).toBe(5);
  });

  it('is not reported for a single different reply', async () => {
    const { found } = await digestsOf(3, one, one, other, one, one);
    expect(new Set(found).size).toBe(1);
  });

  it('is not reported if the second request fails', async () => {
    const { found } = await digestsOf(3, one, one, other, answer({ error: true }, 500), one);
    expect(found).toEqual([found[0], 'failed', found[0]]);
  });

  it.each([
    ['one poll does not find', 3, [one, one, lacking, one], [0, 0, 0]],
    ['two polls in a row do not find', 4, [one, one, lacking, lacking, lacking], [0, 0, 1, 1]],
    ['polls do not find now and then', 4, [one, one, lacking, one, lacking], [0, 0, 0, 0]],
  ] as const)('of which %s is a removal only after two', async (_, polls, replies, removed) => {
    const { found } = await digestsOf(polls, ...replies);
    expect(found.map((digest) => Number(digest === ''))).toEqual(removed);
  });

  it('of a list that is missing once keeps the list', async () => {
    const state = createConfirmedFunctions();
    const before = factsOf(await read({}, '4.1', state));
    expect(factsOf(await read({ library: lacking }, '4.1', state))).toEqual(before);
    expect(factsOf(await read({ library: lacking }, '4.1', state)).counts).toEqual({ tuples: 1 });
  });
});
