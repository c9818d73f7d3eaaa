import { describe, expect, it } from 'vitest';
import { createHandler } from '../../../src/app/api/routes.ts';
import { serviceRoutes } from '../../../src/app/api/service-routes.ts';
import { ok } from '../../../src/kernel/result.ts';
import type { ReplicaView, Transition } from '../../../src/model/transition.ts';
import { memoryStore } from '../../../src/runtime/store/local-store.ts';
import { insertTransition } from '../../../src/track/rows.ts';
import { sendRequest } from '../fakes.ts';

const now = Date.UTC(2026, 8, 22, 12);
const hour = 3_600_000;

function view(service: string, replica: string, more: Partial<ReplicaView> = {}): ReplicaView {
  const id = { cluster: 'prod', service, partition: '1', replica };
  const observed = { observed: 'Online', observedSince: now - hour, process: 'Running', disputed: false };
  return { ...id, ...observed, confirmed: 'Online', confirmedSince: now - 2 * hour, flapping: false, ...more };
}

function turn(at: number, more: Partial<Transition> = {}): Transition {
  const id = { cluster: 'prod', service: 'GPE', partition: '1', replica: '1' };
  const event = { process: 'Running', eventId: 'e', eventNs: '1', source: 'm1' };
  return { ...id, at, from: 'Online', to: 'Down', duration: 1000, ...event, ...more };
}

/** Answers of a store that has more rows than are read. */
const tooManyRows = {
  maxSummaryRows: 10_000,
  count: async () => ok(10_001),
  find: () => expect.fail('it reads the rows'),
  summarize: () => expect.fail('it reads the rows'),
};

/** The routes over a timeline and what is known now. */
async function setUp(timeline: readonly Transition[], replicas: readonly ReplicaView[] = []) {
  const store = memoryStore();
  await store.commit(timeline.map(insertTransition));
  const dependencies = { history: store.history, views: () => ({ replicas }), now: () => ({ wall: now, mono: 0 }) };
  const handler = createHandler(serviceRoutes(dependencies), () => '');
  const get = async (target: string) => {
    const { status, body } = await sendRequest(handler, target);
    return { status, ...JSON.parse(body) };
  };
  return { store, get };
}

describe('GET /api/v1/services', () => {
  const replicas = [view('GPE', '1'), view('GPE', '2', { observed: 'Down', flapping: true }), view('GSE', '1')];

  it('returns the observed and the confirmed status', async () => {
    const { get } = await setUp([], replicas);
    const { status, items, total } = await get('/api/v1/services?service=GPE&replica=2');
    expect([status, total]).toEqual([200, 1]);
    expect(items).toEqual([
      {
        cluster: 'prod',
        service: 'GPE',
        partition: '1',
        replica: '2',
        status: 'Down',
        since: '2026-09-22T11:00:00.000Z',
        confirmed: 'Online',
        confirmedSince: '2026-09-22T10:00:00.000Z',
        process: 'Running',
        flapping: true,
        disputed: false,
      },
    ]);
  });

  it.each([
    ['cluster=prod', 3],
    ['cluster=other', 0],
    ['partition=1&limit=1', 3],
    ['status=Down', 1],
    ['confirmed=Online', 3],
    ['flapping=true', 1],
    ['disputed=true', 0],
  ])('filters by %s', async (query, total) => {
    const { get } = await setUp([], replicas);
    expect((await get(`/api/v1/services?${query}`)).total).toBe(total);
  });

  it('rejects an unknown parameter', async () => {
    const { get } = await setUp([], replicas);
    expect((await get('/api/v1/services?state=Down')).status).toBe(400);
  });
});

describe('GET /api/v1/transitions', () => {
  const timeline = [
    turn(now - 3 * hour),
    turn(now - 2 * hour, { from: 'Down', to: 'Online' }),
    turn(now - hour, { service: 'GSE', to: 'Warmup' }),
  ];

  it('lists the newest first', async () => {
    const { get } = await setUp(timeline);
    const { status, items, total } = await get('/api/v1/transitions');
    expect([status, total]).toEqual([200, 3]);
    expect(items.map((item: { service: string; to: string }) => `${item.service} ${item.to}`)).toEqual([
      'GSE Warmup',
      'GPE Online',
      'GPE Down',
    ]);
    expect(items[0]).toMatchObject({ at: '2026-09-22T11:00:00.000Z', from: 'Online', lastedSeconds: 1, source: 'm1' });
  });

  it.each([
    ['service=GPE', 2],
    ['to=Down', 1],
    ['from=Online', 2],
    ['since=90m', 1],
    ['since=2h', 2],
    ['since=2026-09-22T09:00:00Z&until=2026-09-22T10:00:00Z', 1],
    ['cluster=other', 0],
    ['partition=1&replica=1', 3],
  ])('filters by %s', async (query, total) => {
    const { get } = await setUp(timeline);
    const page = await get(`/api/v1/transitions?${query}`);
    expect(page.total).toBe(total);
    expect(page.items).toHaveLength(total);
  });

  it('returns each transition once over several pages', async () => {
    const many = Array.from({ length: 25 }, (_, at) => turn(now - hour, { replica: String(at) }));
    const { get } = await setUp(many);
    const seen: string[] = [];
    for (const offset of [0, 10, 20]) {
      const { items, total, limit } = await get(`/api/v1/transitions?limit=10&offset=${offset}`);
      expect([total, limit]).toEqual([25, 10]);
      seen.push(...items.map((item: { replica: string }) => item.replica));
    }
    expect(new Set(seen).size).toBe(25);
  });

  it.each(['limit=0', 'offset=-1', 'since=yesterday', 'order=at', 'until='])('rejects %s', async (query) => {
    const { get } = await setUp(timeline);
    expect((await get(`/api/v1/transitions?${query}`)).status).toBe(400);
  });

  it('returns 503 if the store cannot be read', async () => {
    const { get, store } = await setUp(timeline);
    await store.close();
    expect(await get('/api/v1/transitions')).toMatchObject({ status: 503, detail: 'the store is closed' });
  });
});

describe('GET /api/v1/availability', () => {
  const timeline = [turn(now - 3 * hour), turn(now - 2 * hour, { from: 'Down', to: 'Online' })];
  const replicas = [view('GPE', '1', { observedSince: now - 2 * hour }), view('GSE', '1', { observedSince: 0 })];

  it('covers the last 30 days by default', async () => {
    const { get } = await setUp(timeline, replicas);
    const { status, items } = await get('/api/v1/availability?service=GPE&kind=replica');
    expect(status).toBe(200);
    expect(items).toEqual([
      {
        kind: 'replica',
        cluster: 'prod',
        service: 'GPE',
        partition: '1',
        replica: '1',
        observedSeconds: 30 * 86_400,
        onlineSeconds: 30 * 86_400 - 3600,
        availability: 1 - 1 / 720,
        outages: 1,
        meanTimeToRecoverSeconds: 3600,
      },
    ]);
  });

  it('covers the time since the parameter, for replicas and partitions', async () => {
    const { get } = await setUp(timeline, replicas);
    const { items } = await get('/api/v1/availability?since=4h');
    const found = items.map((item: Record<string, unknown>) => [item.kind, item.service, item.availability]);
    expect(found).toEqual([
      ['partition', 'GPE', 0.75],
      ['replica', 'GPE', 0.75],
      ['partition', 'GSE', 1],
      ['replica', 'GSE', 1],
    ]);
    expect((await get('/api/v1/availability?since=4h&replica=1')).total).toBe(2);
  });

  it('includes the status at the start of the time range', async () => {
    const { get } = await setUp(timeline, replicas);
    const { items } = await get('/api/v1/availability?since=150m&service=GPE&kind=replica');
    expect(items[0]).toMatchObject({ availability: 0.8, outages: 1, meanTimeToRecoverSeconds: null });
  });

  it.each(['since=soon', 'until=1h', 'limit=0'])('rejects %s', async (query) => {
    const { get } = await setUp(timeline, replicas);
    expect((await get(`/api/v1/availability?${query}`)).status).toBe(400);
  });

  it('rejects a time range with too many transitions', async () => {
    const store = memoryStore();
    const history = { ...store.history, ...tooManyRows };
    const dependencies = { history, views: () => ({ replicas }), now: () => ({ wall: now, mono: 0 }) };
    const { status, body } = await sendRequest(
      createHandler(serviceRoutes(dependencies), () => ''),
      '/api/v1/availability',
    );
    expect(status).toBe(400);
    expect(JSON.parse(body).detail).toContain('more than 10000 transitions');
  });

  it('returns 503 if the store cannot be read', async () => {
    const { get, store } = await setUp(timeline, replicas);
    await store.close();
    expect((await get('/api/v1/availability')).status).toBe(503);
  });
});
