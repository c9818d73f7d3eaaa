import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Secret } from '../../src/kernel/secret.ts';
import type { AuthSettings } from '../../src/model/settings.ts';
import { factsOf, failureOf, neverAborted } from '../support/client.ts';
import { listening } from '../support/static-server.ts';
import { eventually } from '../support/tcp-server.ts';
import { bearer, type GuardedNode, type GuardedOptions, guardedNode } from './guarded-node.ts';

const id = '65538.RESTPP_1_1.1790000000000.N';
const list = '/restpp/showprocesslistall';
const aborts = `/restpp/abortquery/fraud?requestid=${id}`;
const token = '/gsql/v1/tokens';
const good: Readonly<Record<string, unknown>> = {
  [list]: { error: false, results: [] },
  [aborts]: { error: false, results: [{ aborted_queries: [{ requestid: id, url: '' }] }] },
  [token]: { error: false, token: 'exchanged' },
  '/api/ping': { error: false, message: 'pong', results: null },
};

interface Scene extends GuardedNode {
  /** Path and credentials of each request, in order. */
  readonly seen: readonly string[];
  /** The paths that are answered; all others hang. */
  readonly answered: Set<string>;
  /** Sends an abort without a timeout: it never returns if the node hangs. */
  readonly abort: () => Promise<string>;
}

/** A real server that hangs but for some paths, and a guarded way to it. */
async function setup(answered: readonly string[], options: GuardedOptions = {}): Promise<Scene> {
  const seen: string[] = [];
  const paths = new Set(answered);
  const server = createServer(({ url = '', headers }: IncomingMessage, response: ServerResponse) => {
    seen.push(`${url} ${headers.authorization ?? ''}`.trimEnd());
    if (paths.has(url)) response.end(JSON.stringify(good[url]));
  });
  const guarded = guardedNode(`http://127.0.0.1:${await listening(server)}`, options);
  onTestFinished(() => guarded.node.close());
  return {
    ...guarded,
    seen,
    answered: paths,
    abort: async () => {
      const order = { id, graph: 'fraud', ...guarded.target() };
      return (await guarded.node.abort(order, neverAborted())).kind;
    },
  };
}

/** As many collectors as there are, all of which hang until they are cut off. */
function hangingCollectors({ node: { db } }: GuardedNode): () => Promise<void> {
  const cut = new AbortController();
  const { signal } = cut;
  const calls = [db.license(signal), db.delayedList(signal), db.statistics('fraud', signal), db.serviceStatus(signal)];
  return async () => {
    cut.abort();
    for (const answer of await Promise.all<Promise<unknown>[]>(calls)) expect(answer).toMatchObject({ ok: false });
  };
}

describe('while four collectors hang on a node', () => {
  it('a list and an abort do not wait', async () => {
    const hung = await setup([list, aborts]);
    const end = hangingCollectors(hung);
    await eventually(() => hung.seen.length > 0);
    for (let turn = 0; turn < 3; turn += 1) {
      factsOf(await hung.node.db.processListAll(neverAborted()));
      expect(await hung.abort()).toBe('accepted');
    }
    expect(hung.node.sockets()).toBeLessThanOrEqual(4);
    await end();
  });

  it('an abort does not wait if a list hangs too', async () => {
    const hung = await setup([list, aborts]);
    factsOf(await hung.node.db.processListAll(neverAborted()));
    hung.answered.delete(list);
    const end = hangingCollectors(hung);
    const cut = new AbortController();
    const lists = [1, 2, 3].map(() => hung.node.db.processListAll(cut.signal));
    await eventually(() => hung.seen.filter((line) => line === list).length === 2);
    expect(await hung.abort()).toBe('accepted');
    expect(hung.node.sockets()).toBeLessThanOrEqual(4);
    cut.abort();
    for (const one of await Promise.all(lists)) expect(failureOf(one).reason).toBe('timeout');
    await end();
  });

  it('the ping is answered', async () => {
    const hung = await setup(['/api/ping']);
    const end = hangingCollectors(hung);
    await eventually(() => hung.seen.length > 0);
    expect(factsOf(await hung.node.db.ping(neverAborted()))).toBe(true);
    await end();
  });

  it('a list waits if the node is not guarded', async () => {
    const hung = await setup([list], { guarded: false });
    const end = hangingCollectors(hung);
    await eventually(() => hung.seen.length === 3);
    expect(failureOf(await hung.node.db.processListAll(AbortSignal.timeout(150))).reason).toBe('timeout');
    await end();
  });
});

describe('the credentials of an abort', () => {
  const exchanged: AuthSettings = { kind: 'secret', secret: { value: new Secret('s') } };
  const read = bearer('for-reading');

  it('are separate, and used by no other call', async () => {
    const settings = { readAuth: read, abortAuth: bearer('for-aborting') };
    const { node, seen, abort } = await setup([list, aborts, '/api/ping'], { settings });
    await node.db.ping(neverAborted());
    factsOf(await node.db.processListAll(neverAborted()));
    expect(await abort()).toBe('accepted');
    expect(seen).toEqual(['/api/ping', `${list} Bearer for-reading`, `${aborts} Bearer for-aborting`]);
  });

  it('are absent if none are configured, even if others are', async () => {
    const { node, seen, abort } = await setup([list, aborts], { settings: { readAuth: read } });
    factsOf(await node.db.processListAll(neverAborted()));
    expect([await abort(), seen.at(-1)]).toEqual(['accepted', aborts]);
  });

  it('are exchanged for a token when a list is requested, once, so that no abort waits for it', async () => {
    const settings = { readAuth: read, abortAuth: exchanged };
    const { node, seen, abort, answered } = await setup([list, aborts, token], { settings });
    for (let turn = 0; turn < 3; turn += 1) factsOf(await node.db.processListAll(neverAborted()));
    await eventually(() => seen.includes(token));
    answered.delete(token);
    expect(await abort()).toBe('accepted');
    expect(seen.filter((line) => line === token)).toHaveLength(1);
    expect(seen.at(-1)).toBe(`${aborts} Bearer exchanged`);
  });

  it('do not delay an abort without a token, which is not sent', async () => {
    const { node, seen, abort } = await setup([list, aborts], { settings: { abortAuth: exchanged } });
    factsOf(await node.db.processListAll(neverAborted()));
    expect(await abort()).toBe('unsent');
    expect(seen.filter((line) => line.startsWith(aborts))).toEqual([]);
  });

  it('are not exchanged if the node is not guarded', async () => {
    const { node, seen } = await setup([list], { settings: { abortAuth: exchanged }, guarded: false });
    factsOf(await node.db.processListAll(neverAborted()));
    expect(seen).toEqual([list]);
  });
});
