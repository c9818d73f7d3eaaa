import { describe, expect, it } from 'vitest';
import type { Caller } from '../../src/graphdb/caller.ts';
import { type CallName, calls, templateOf } from '../../src/graphdb/calls.ts';
import { type NodeConnection, openCluster } from '../../src/graphdb/connect.ts';
import type { GraphDb } from '../../src/graphdb/graph-db.ts';
import type { HttpPool, HttpRequest } from '../../src/kernel/http.ts';
import { ok } from '../../src/kernel/result.ts';
import { Secret } from '../../src/kernel/secret.ts';
import type { InformantCategory } from '../../src/model/node.ts';
import type { ClusterSettings } from '../../src/model/settings.ts';
import { endpointGroups } from '../../tools/generate/server-coverage/coverage-reference.ts';
import { casesOfRun } from '../support/campaign.ts';
import { bareCluster, callerOver, neverAborted } from '../support/client.ts';
import { FakeClock } from '../support/clock.ts';
import { digest } from '../support/digest.ts';
import { FakeFiles } from '../support/fake-files.ts';
import { answer } from '../support/fake-pool.ts';
import { tasksWith } from './probe-tasks.ts';

const changing = endpointGroups.flatMap(({ changes, endpoints }) => (changes === true ? endpoints : []));
/** The short form tries every sixth endpoint of each group. */
const tried = casesOfRun(changing, (_, index) => index % 6 === 0);
const names = Object.keys(calls) as CallName[];
const graph = 'fraud';
const requestId = '65538.RESTPP_1_1.1790000000000.N';
/** The word may be a valid name of a graph. */
const oneAbort = /^(\/restpp)?\/abortquery\/\w+\?requestid=65538\.RESTPP_1_1\.1790000000000\.N$/;
const secret = new Secret('a-secret');

/** Requests that may leave: the calls of the list, and the abort of one query. */
const allowed = [
  ...names.flatMap((name) =>
    (['current', 'older'] as const).map((form) => `${calls[name].method} ${templateOf(name, form)}`),
  ),
  'GET /restpp/abortquery/{graph}',
  'GET /abortquery/{graph}',
  'DELETE /gsql/v1/tokens',
  'DELETE /gsqlserver/gsql/tokens',
  'DELETE /requesttoken',
].map((endpoint) => {
  const ids = endpoint.replace('.*', '\\.\\*').replaceAll(/\{(vertexId|sourceId|targetId)\}/g, '[^/%\\\\?#]{1,512}');
  const named = ids.replaceAll('{template}', '[\\w-]{1,64}(?:\\.[\\w-]{1,64})*');
  return new RegExp(`^${named.replaceAll(/\{\w+\}/g, '[\\w-]{1,128}')}$`);
});

/** A pool that accepts everything and returns an empty success. */
function openPool(seen: HttpRequest[]): HttpPool {
  return {
    request: async (request) => {
      seen.push(request);
      return answer({ error: false, message: '', results: [], token: 'exchanged' });
    },
    sockets: () => 1,
    close: async () => undefined,
  };
}

function connect(seen: HttpRequest[], settings: Partial<ClusterSettings> = {}): NodeConnection {
  const ports = {
    openPool: () => openPool(seen),
    clock: new FakeClock(),
    random: { next: () => 0.5 },
    files: new FakeFiles(),
    digest,
  };
  return openCluster({ ...bareCluster, ...settings }, { bodyLimit: 1_000_000, guarded: true }, ports).node({
    name: 'm1',
    url: 'http://m1:14240',
  });
}

/** The ways to write a path into a word, so that a URL made from the word could mean the path. */
function disguises(endpoint: string): readonly string[] {
  const path = endpoint.slice(endpoint.indexOf(' ') + 1).replaceAll(/\{\w+\}/g, graph);
  return [
    path,
    path.slice(1),
    endpoint,
    `..${path}`,
    `${graph}/../../..${path}`,
    encodeURIComponent(path),
    encodeURIComponent(`../../..${path}`),
    `${graph}?next=${path}`,
    `${graph}#${path}`,
    `${graph} HTTP/1.1\r\n\r\n${endpoint}`,
    `http://m1:14240${path}`,
  ];
}

/** Passes a word to every function of a node that takes one, and calls every function that takes none. */
async function callAll(node: NodeConnection, word: string): Promise<void> {
  const signal = neverAborted();
  for (const one of [node.db, node.observedBy({ onCall: () => undefined })]) {
    for (const call of Object.keys(one)) await callFunction(one, call as keyof GraphDb, word);
  }
  for (const order of [
    { id: word, graph },
    { id: requestId, graph: word },
    { id: 'all', graph },
    { id: '', graph },
  ]) {
    await node.abort({ ...order, connection: '1', mayWrite: () => true }, signal);
  }
}

const callsOfGraph = [
  'statistics',
  'processList',
  'graphSchema',
  'schemaVersion',
  'graphSize',
  'queryDefinitions',
  'loadingRuns',
  'vectorStatus',
  'cardinality',
  'detachedQueries',
  'rebuildGraph',
] as const;

async function callFunction(db: GraphDb, call: keyof GraphDb, word: string): Promise<void> {
  const signal = neverAborted();
  if (call === 'cluster' || call === 'node') return;
  // An unknown category has no schema: the call ends before it sends anything.
  if (call === 'category') expect(() => db.category(word as InformantCategory, signal)).toThrow(TypeError);
  else if (call === 'runQuery') await runQueries(db, word, signal);
  else if (call === 'probe') await runProbes(db, word, signal);
  else if (isOfGraph(call)) await db[call](word, signal);
  else await db[call](signal);
}

/** Runs queries with the word in each place of the path, and as the text and a parameter of the query. */
async function runQueries(db: GraphDb, word: string, signal: AbortSignal): Promise<void> {
  const parameters = [{ name: word, value: word }];
  for (const [of, source] of [
    [word, { installed: 'q' }],
    [graph, { installed: word }],
    [graph, { interpreted: word }],
  ] as const) {
    await db.runQuery({ graph: of, source, parameters, timeout: 1000 }, signal);
  }
}

/** Runs probes of each kind with the word in each place. */
async function runProbes(db: GraphDb, word: string, signal: AbortSignal): Promise<void> {
  for (const task of tasksWith(word)) await db.probe({ graph, task, timeout: 50 }, signal);
  for (const task of tasksWith('a')) await db.probe({ graph: word, task, timeout: 50 }, signal);
}

function isOfGraph(call: string): call is (typeof callsOfGraph)[number] {
  return callsOfGraph.some((name) => name === call);
}

/** Makes a call with the word in each part of its input. */
async function callWith(caller: Caller, name: CallName, word: string): Promise<void> {
  const body = { path: word, method: 'DELETE' };
  const parameters = ['tag', 'filename', 'ack'].map((parameter) => ({ name: parameter, value: word }));
  for (const segments of segmentsWith(name, word)) {
    const input = { segments, query: { ...body, tag: word, filename: word, ack: word }, parameters, body };
    await caller.json(name, input, neverAborted());
    await caller.jsonWithOrigin(name, input, neverAborted());
    await caller.text({ name, input }, () => Promise.resolve(ok([])), neverAborted());
  }
}

/** Segments of a call, with the word in one of them after the other. */
function segmentsWith(name: CallName, word: string): readonly Readonly<Record<string, string>>[] {
  const keys = [...templateOf(name, 'current').matchAll(/\{(\w+)\}/g)].map(([, key = '']) => key);
  const plain = Object.fromEntries(keys.map((key) => [key, 'qps']));
  return keys.length === 0 ? [{ graph: word }, { graph }] : keys.map((key) => ({ ...plain, [key]: word }));
}

/** Requests that load or delete anything but the row of the heartbeat and the expired tokens. */
function writing(requests: readonly HttpRequest[]): readonly string[] {
  return distinct(requests)
    .filter(({ method, path }) => (method !== 'GET' && method !== 'POST') || path.includes('/ddl/'))
    .filter((request) => !isOfHeartbeat(request) && !isTokenCleanup(request))
    .map(({ method, path }) => `${method} ${path}`);
}

/** With a body, it would remove the tokens of the listed users, also those that are valid. */
function isTokenCleanup({ method, path, body }: HttpRequest): boolean {
  return method === 'DELETE' && path.split('?')[0] === '/gsqlserver/gsql/expiredtoken' && body === undefined;
}

function isOfHeartbeat({ method, path }: HttpRequest): boolean {
  const { pathname, searchParams } = new URL(path, 'http://m1');
  const given = (name: string): string => searchParams.getAll(name).join(' ');
  if (method === 'DELETE')
    return /^(\/restpp)?\/graph\/[\w-]+\/vertices\/graphwarden_heartbeat\/[\w-]+$/.test(pathname);
  const isLoad = method === 'POST' && /^(\/restpp)?\/ddl\/[\w-]+$/.test(pathname);
  return (
    isLoad && given('tag') === 'graphwarden_heartbeat' && given('filename') === 'heartbeat' && given('ack') === 'all'
  );
}

/** The requests without repetitions: most calls send the same request for any word. */
function distinct(requests: readonly HttpRequest[]): readonly HttpRequest[] {
  return [...new Map(requests.map((one) => [`${one.method} ${one.path} ${one.body}`, one])).values()];
}

/** Requests that are not allowed, with the path that a server would see after it resolves dots. */
function forbidden(requests: readonly HttpRequest[]): readonly string[] {
  return distinct(requests)
    .map(({ method, path }) => `${method} ${decodeURIComponent(new URL(path, 'http://m1').pathname)}`)
    .filter((request) => !allowed.some((pattern) => pattern.test(request)));
}

describe('endpoints that change the server', () => {
  it('are more than eighty', () => {
    expect(changing.length).toBeGreaterThan(80);
  });

  it.each(tried)('are not reachable by any function of the client: %s', async (endpoint) => {
    const seen: HttpRequest[] = [];
    const auth = { kind: 'secret', secret: { value: secret } } as const;
    const older = { readAuth: auth, abortAuth: auth, serverVersion: '3.9' };
    for (const word of disguises(endpoint)) {
      await callAll(connect(seen), word);
      await callAll(connect(seen, { ...older, graphs: [word], statements: { one: word } }), word);
    }
    expect(seen.length).toBeGreaterThan(100);
    expect(forbidden(seen)).toEqual([]);
    // No function deletes a token either: that happens when the connection closes.
    expect(writing(seen)).toEqual([]);
    expect(seen.filter(({ path }) => path.split('?', 1)[0]?.includes('abortquery') && !oneAbort.test(path))).toEqual(
      [],
    );
  });

  it.each(tried)('are not reachable by the calls of a caller, with any input: %s', async (endpoint) => {
    const seen: HttpRequest[] = [];
    const caller = callerOver(openPool(seen), { serverVersion: '4.1' });
    for (const word of disguises(endpoint)) {
      const body = { path: word, method: 'DELETE' };
      for (const name of names) await callWith(caller, name, word);
      for (const name of ['tokens', 'requestToken'] as const) await caller.exchange(name, body, neverAborted());
    }
    expect(seen.length).toBeGreaterThan(100);
    expect(forbidden(seen)).toEqual([]);
    expect(writing(seen)).toEqual([]);
  });

  it('include one abort of one query', async () => {
    const seen: HttpRequest[] = [];
    const node = connect(seen);
    await node.db.processListAll(neverAborted());
    await node.abort({ id: requestId, graph, connection: '1', mayWrite: () => true }, neverAborted());
    expect(seen.map(({ path }) => path)).toContain(`/restpp/abortquery/fraud?requestid=${requestId}`);
    expect(forbidden(seen)).toEqual([]);
  });

  it('deletes the token that it was issued, and no other, when the connection closes', async () => {
    for (const serverVersion of ['4.1', '3.9']) {
      const seen: HttpRequest[] = [];
      const auth = { kind: 'secret', secret: { value: secret } } as const;
      const node = connect(seen, { readAuth: auth, serverVersion });
      await node.db.processListAll(neverAborted());
      await node.close();
      await node.close();
      const deletions = seen.filter(({ method }) => method === 'DELETE');
      expect(deletions.map(({ body }) => body)).toEqual(['{"tokens":"exchanged"}']);
      expect(forbidden(seen)).toEqual([]);
    }
  });

  it.each(['none', 'bearer', 'basic'] as const)('deletes no token of the configuration: %s', async (kind) => {
    const seen: HttpRequest[] = [];
    const configured = { token: { value: secret }, username: 'u', password: { value: secret } };
    const node = connect(seen, { readAuth: { ...configured, kind }, abortAuth: { ...configured, kind } });
    await node.db.processListAll(neverAborted());
    await node.close();
    expect(seen.map(({ method }) => method)).toEqual(['GET']);
  });
});
