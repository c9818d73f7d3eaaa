import { describe, expect, it } from 'vitest';
import type { CallName } from '../../src/graphdb/calls.ts';
import { openCluster } from '../../src/graphdb/connect.ts';
import type { GraphDb } from '../../src/graphdb/graph-db.ts';
import { longReplyWork, reduceInWorker, usedMembers } from '../../src/graphdb/long-reply.ts';
import { replyLimits } from '../../src/graphdb/reply-limits.ts';
import { type BoundedWorker, Moved, type ReplyWorkers } from '../../src/kernel/worker.ts';
import { bareCluster, neverAborted } from '../support/client.ts';
import { FakeClock } from '../support/clock.ts';
import { digest } from '../support/digest.ts';
import { FakeFiles } from '../support/fake-files.ts';
import { answer, FakePool } from '../support/fake-pool.ts';

const limits = replyLimits.list;
/** The worker without its thread, with the number of its requests. */
const inPlace = {
  requests: 0,
  async run(request: unknown): Promise<unknown> {
    inPlace.requests += 1;
    return resultOf(await longReplyWork(structuredClone(request)));
  },
} satisfies BoundedWorker & { requests: number };
const resultOf = (reply: unknown): unknown => (reply instanceof Moved ? reply.value : reply);
const workers: ReplyWorkers = {
  collectors: inPlace,
  guard: { run: () => Promise.reject(new Error('the reply is not for the guard')) },
};
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The reply of the worker, with its bytes as text. */
async function reduce(text: string | Uint8Array, members?: readonly string[], most = limits): Promise<unknown> {
  const bytes = typeof text === 'string' ? bytesOf(text) : text;
  const value = resultOf(await longReplyWork({ bytes, limits: most, members }));
  if (typeof value !== 'object' || value === null || !('bytes' in value)) return value;
  return { ...value, bytes: Buffer.from(value.bytes instanceof Uint8Array ? value.bytes : []).toString('utf8') };
}

const query = {
  requestid: '65537.RESTPP_1_1.1790000000000.N',
  startTime: '2026-09-21 14:13:20.000',
  expirationTime: '2026-09-21 16:13:36.000',
  url: '/query/fraud/q?x=1',
  elapsedTime: 12,
};
const checks = [{ PassCheck: 'false', UnSyncList: [1, 2], Partition: 3, GPE: 'GPE_1_1' }];
const status = {
  EventMeta: { EventId: 'e', TimestampNS: '17900000000000000001' },
  ServiceDescriptor: { ServiceName: 'GPE', Partition: 1, Replica: 2 },
  ServiceStatus: 'Online',
  ProcessState: 'Running',
};

/** A reply of each call whose members are known, and how it is requested. */
const replies: Record<string, readonly [string, object, (db: GraphDb) => Promise<unknown>]> = {
  processListAll: [
    'GET /restpp/showprocesslistall',
    { error: false, results: [query, { ...query, method: 'GET', elapsedTime: '7' }] },
    async (db) => {
      const list = await db.processListAll(neverAborted());
      return list.ok && [list.value.queries, list.value.raw.body];
    },
  ],
  processList: [
    'GET /restpp/showprocesslist/g',
    { error: 'false', results: [query] },
    (db) => db.processList('g', neverAborted()),
  ],
  delayedList: [
    'GET /restpp/showdelayedlistall',
    { error: false, results: [{ requestidPartial: 'p', url: '/query/g/q', elapsedTime: 3 }] },
    (db) => db.delayedList(neverAborted()),
  ],
  dataConsistency: [
    'GET /restpp/data_consistency_check',
    { error: false, message: 'check failed', results: { GPESelfCheck: checks, GPEGSECheck: checks } },
    (db) => db.dataConsistency(neverAborted()),
  ],
  deletedVertices: [
    'GET /restpp/deleted_vertex_check',
    { error: false, message: 'check passed', results: checks },
    (db) => db.deletedVertices(neverAborted()),
  ],
  serviceStatus: [
    'POST /informant/current-service-status',
    { ServiceStatusEvents: [status] },
    (db) => db.serviceStatus(neverAborted()),
  ],
};

describe('a long reply', () => {
  it('has a test for each call whose members are known', () => {
    expect(Object.keys(replies).toSorted()).toEqual(Object.keys(usedMembers).toSorted());
  });

  it.each(Object.entries(replies))('of %s has the same result as a short one', async (_name, [request, body, call]) => {
    const padding = Array.from({ length: 5 }, () => 'x'.repeat(250_000));
    const pool = new FakePool([request, answer(body)], [request, answer({ padding, ...body })]);
    const ports = {
      openPool: () => pool,
      clock: new FakeClock(),
      random: { next: () => 0.5 },
      files: new FakeFiles(),
      digest,
      workers,
    };
    const { db } = openCluster(bareCluster, { bodyLimit: 32_000_000 }, ports).node({ name: 'm1', url: 'http://m1' });
    const short = await call(db);
    expect(short).toBeTruthy();
    expect(short).not.toMatchObject({ ok: false });
    const { requests } = inPlace;
    expect(await call(db)).toEqual(short);
    expect(inPlace.requests).toBe(requests + 1);
  });
});

describe('longReplyWork', () => {
  it('keeps the members that are used, at any level', async () => {
    const text = '{ "results": [ {"a": [1, {"b": 2}], "x": "dropped"} ], "y": {"a": 1} }';
    expect(await reduce(text, ['results', 'a'])).toEqual({ bytes: '{"results":[{"a":[1,{}]}]}', ends: [] });
    expect(await reduce(text)).toMatchObject({
      bytes: '{"results":[{"a":[1,{"b":2}],"x":"dropped"}],"y":{"a":1}}',
    });
  });

  it.each([
    ['bytes that are not UTF-8', new Uint8Array([0x7b, 0xff]), { message: 'the response is not valid UTF-8' }],
    ['text that is not JSON', '{"results":[1,]}', { message: 'the response is not valid JSON' }],
    ['unknown members only', '{"x":1}', { message: 'the response contains no known member' }],
    ['a reply over a limit', '['.repeat(100), { limit: 'depth' }],
  ])('rejects %s', async (_what, given, expected) => {
    expect(await reduce(given, ['results'])).toMatchObject(expected);
  });

  it('states where the long containers of the reduced text end', async () => {
    const list = `[${'1,'.repeat(40_000)}1]`;
    const reduced = await reduce(`{"x":1, "a":${list}}`, ['a']);
    expect(reduced).toEqual({
      bytes: `{"a":${list}}`,
      ends: [
        [5, 4 + list.length],
        [0, 5 + list.length],
      ],
    });
  });

  it('rejects a reply that becomes longer than allowed', async () => {
    const text = `["${'\u0001'.repeat(1000)}é"]`;
    const most = { ...limits, bytes: 6006 };
    expect(await reduce(text, undefined, most)).toMatchObject({
      bytes: JSON.stringify(JSON.parse(JSON.stringify([`${'\u0001'.repeat(1000)}é`]))),
    });
    expect(await reduce(text, undefined, { ...most, bytes: 6005 })).toMatchObject({ limit: 'bytes' });
  });

  it('frees the memory of the reply, and moves that of its result', async () => {
    const bytes = bytesOf('{"a":1}');
    const reply = await longReplyWork({ bytes, limits });
    expect(bytes).toHaveLength(0);
    expect(resultOf(reply)).toMatchObject({ bytes: bytesOf('{"a":1}') });
    expect(reply).toMatchObject({ memory: [{ byteLength: 7 }] });
  });

  it('does not mistake a reply without known members for an empty one', async () => {
    expect(await reduce(' { } ', ['results'])).toMatchObject({ bytes: '{}' });
  });
});

it('a long list of a guarded node has a separate worker', async () => {
  const requests: unknown[] = [];
  const guard: BoundedWorker = {
    run: async (request) => {
      requests.push(request);
      return resultOf(await longReplyWork(structuredClone(request)));
    },
  };
  const body = { padding: Array.from({ length: 5 }, () => 'x'.repeat(250_000)), error: false, results: [query] };
  const pool = new FakePool(['GET /restpp/showprocesslistall', answer(body)]);
  const ports = {
    openPool: () => pool,
    clock: new FakeClock(),
    random: { next: () => 0.5 },
    files: new FakeFiles(),
    digest,
  };
  const client = openCluster(
    bareCluster,
    { bodyLimit: 32_000_000, guarded: true },
    {
      ...ports,
      openPool: (options) => (options.oneAddress === true ? pool : new FakePool()),
      workers: { ...workers, guard },
    },
  );
  const list = await client.node({ name: 'm1', url: 'http://m1' }).db.processListAll(neverAborted());
  expect(list).toMatchObject({ ok: true });
  expect(requests).toHaveLength(1);
});

describe('reduceInWorker', () => {
  const name: CallName = 'processListAll';
  const failing: BoundedWorker = { run: async () => undefined };

  it('fails the reply with a separate limit if the worker fails', async () => {
    const reduced = await reduceInWorker(failing, { name, bytes: bytesOf('{}'), limits }, neverAborted());
    expect(reduced).toMatchObject({ ok: false, error: { reason: 'too_large', limit: 'parser' } });
  });

  it('fails the reply with the reason timeout if its deadline passes', async () => {
    const reduced = await reduceInWorker(failing, { name, bytes: bytesOf('{}'), limits }, AbortSignal.abort());
    expect(reduced).toMatchObject({ ok: false, error: { reason: 'timeout' } });
  });

  it('names the limit that the reply exceeds', async () => {
    const bytes = bytesOf('['.repeat(100));
    const reduced = await reduceInWorker(inPlace, { name, bytes, limits }, neverAborted());
    expect(reduced).toMatchObject({ ok: false, error: { reason: 'too_large', limit: 'depth' } });
  });
});
