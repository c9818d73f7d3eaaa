import { describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../../src/api/guard-audit.ts';
import { guardAuditRoute } from '../../../src/app/api/guard-audit-route.ts';
import { createHandler } from '../../../src/app/api/routes.ts';
import { intentChange, outcomeChange } from '../../../src/guard/storage/abort-rows.ts';
import { actionChange } from '../../../src/guard/storage/operator-action-rows.ts';
import type { StoreChange } from '../../../src/kernel/store.ts';
import { memoryStore } from '../../../src/runtime/store/local-store.ts';
import { storedAbort } from '../../guard/storage/stored-aborts.ts';
import { fixedRandom, sendRequest } from '../fakes.ts';

const wall = Date.UTC(2026, 8, 22, 12);
const hour = 3_600_000;

const one = storedAbort(1, { at: wall - 3 * hour });
const two = storedAbort(2, { at: wall - 2 * hour, node: 'n2', policy: 'greedy' });
const three = storedAbort(3, { at: wall - hour, cluster: 'test' });
const action = {
  at: wall - 90 * 60_000,
  what: 'resume',
  by: 'alice',
  cluster: 'prod',
  subject: '',
  reason: '',
} as const;
const history: readonly StoreChange[] = [
  ...[one, two, three].map(intentChange),
  outcomeChange(one, { outcome: 'confirmed', at: wall - 2 * hour }),
  actionChange(action, fixedRandom(0)),
];

async function setUp(changes: readonly StoreChange[] = history) {
  const store = memoryStore();
  await store.commit(changes);
  const route = guardAuditRoute({
    history: store,
    now: () => ({ wall, mono: 0 }),
    evidence: async () => [`00000001-prod-n1-${one.id}.jsonl`],
  });
  const handler = createHandler([route], () => '');
  const get = async (query = '') => {
    const { status, body } = await sendRequest(handler, `/api/v1/guard/audit${query}`);
    return { status, ...JSON.parse(body) };
  };
  return { store, get };
}

function inShort(entry: AuditEntry): string {
  return entry.kind === 'operator_action' ? entry.action : entry.id.slice(0, 1);
}

describe('GET /api/v1/guard/audit', () => {
  it('lists aborts and operator actions, the latest first', async () => {
    const { get } = await setUp();
    const { status, items, total } = await get();
    expect([status, total, items.map(inShort)]).toEqual([200, 4, ['3', 'resume', '2', '1']]);
    expect(items[3]).toMatchObject({ outcome: 'confirmed', endedAt: '2026-09-22T10:00:00.000Z', ageSeconds: 700 });
  });

  it('has the command that replays the lists around an abort, while they are kept', async () => {
    const { get } = await setUp();
    const { items } = await get();
    const commands = ['', '', '', `graphwarden guard replay --abort ${one.id}`];
    expect(items.map(({ replayCommand }: AuditEntry) => replayCommand)).toEqual(commands);
  });

  it.each([
    ['?policy=runaway', ['3', '1']],
    ['?node=n2', ['2']],
    ['?cluster=prod', ['resume', '2', '1']],
    ['?since=2h', ['3', 'resume', '2']],
    ['?since=2026-09-22T09:00:00Z&until=2026-09-22T10:00:00Z', ['1']],
    ['?cluster=prod&policy=greedy&since=1d', ['2']],
    ['?policy=nobody', []],
    ['?limit=1&offset=2', ['2']],
  ])('returns for %s the entries %j', async (query, expected) => {
    const { get } = await setUp();
    const { items, total } = await get(query);
    expect(items.map(inShort)).toEqual(expected);
    expect(total).toBe(query.includes('limit') ? 4 : expected.length);
  });

  it('returns each entry once over several pages', async () => {
    const { get } = await setUp(Array.from({ length: 25 }, (_, serial) => intentChange(storedAbort(serial))));
    const seen: string[] = [];
    for (const offset of [0, 10, 20]) {
      const { items } = await get(`?limit=10&offset=${offset}`);
      seen.push(...items.map(({ id }: AuditEntry) => id));
    }
    expect(new Set(seen).size).toBe(25);
  });

  it.each(['?limit=0', '?offset=-1', '?since=yesterday', '?outcome=confirmed', '?until='])(
    'rejects %s',
    async (query) => {
      const { get } = await setUp();
      expect((await get(query)).status).toBe(400);
    },
  );

  it('reports a store that cannot be read', async () => {
    const { get, store } = await setUp();
    await store.close();
    expect(await get()).toMatchObject({ status: 503, detail: 'the store is closed' });
  });
});
