import { describe, expect, it } from 'vitest';
import { auditConditions, auditReport, readAudit } from '../../src/app/guard-audit.ts';
import { intentChange, type KeptOutcome, outcomeChange } from '../../src/guard/keeping/abort-rows.ts';
import { actionChange } from '../../src/guard/keeping/action-rows.ts';
import type { Row } from '../../src/kernel/store.ts';
import { memoryStore } from '../../src/runtime/store/memory-store.ts';
import { keptAbort, rowOf } from '../guard/keeping/kept-aborts.ts';
import { epoch } from '../guard/listed.ts';
import { always } from './fakes.ts';

const act = { what: 'pause', by: 'alice', cluster: '', subject: '', reason: 'migration' } as const;

/** The rows of the audit after an abort, how it ended, and an act. */
async function stored(row: Row, ended?: KeptOutcome): Promise<readonly Row[]> {
  const store = memoryStore();
  const outcome = ended === undefined ? [] : [outcomeChange(keptAbort(), ended)];
  await store.commit([
    { table: 'guard_intents', put: row },
    ...outcome,
    actionChange({ ...act, at: epoch }, always(0)),
  ]);
  const rows = await store.find({ table: 'guard_audit', order: ['kind'] });
  return rows.ok ? rows.value : [];
}

const good = rowOf(intentChange(keptAbort()));

describe('an entry of the audit', () => {
  it('is an abort with its evidence and its outcome', async () => {
    const [row = {}] = await stored(good, { outcome: 'withdrawn', at: epoch + 6000, doubt: 'paused' });
    expect(auditReport(row)).toEqual({
      kind: 'abort',
      at: '2026-09-21T14:13:25.000Z',
      cluster: 'prod',
      node: 'n1',
      id: keptAbort().id,
      graph: 'fraud',
      query: 'ring_scan',
      policy: 'runaway',
      policyHash: '0123456789ab',
      by: '',
      reason: '',
      what: '',
      subject: '',
      ageSeconds: 700,
      grantedTimeoutSeconds: 3600,
      matchedAt: '2026-09-21T14:13:21.000Z',
      dueAt: '2026-09-21T14:13:25.000Z',
      firstSeenAt: '2026-09-21T14:13:15.000Z',
      lastSeenAt: '2026-09-21T14:13:24.900Z',
      pressures: { node_memory: 0.91 },
      notify: ['oncall'],
      outcome: 'withdrawn',
      endedAt: '2026-09-21T14:13:26.000Z',
      doubt: 'paused',
      damaged: false,
    });
  });

  it('is open until there is an outcome', async () => {
    const [row = {}] = await stored(good);
    expect(auditReport(row)).toMatchObject({ outcome: '', endedAt: null, doubt: '' });
  });

  it('names who did it by hand, and why', async () => {
    const manual = { by: 'bob', reason: 'blocks the load' };
    const [row = {}] = await stored(rowOf(intentChange(keptAbort(1, { manual, policy: '', mode: 'manual' }))));
    expect(auditReport(row)).toMatchObject({ kind: 'abort', policy: '', ...manual });
    expect(auditReport(row)).not.toHaveProperty('manual');
  });

  it('is what an operator did', async () => {
    const [, row = {}] = await stored(good);
    expect(auditReport(row)).toMatchObject({ kind: 'act', ...act, node: '', id: '', ageSeconds: null, outcome: '' });
  });

  it('tells what can be read of a row that is damaged', async () => {
    const [row = {}] = await stored({ ...good, evidence: '{', policy: '<b>' });
    const { id } = keptAbort();
    expect(auditReport(row)).toMatchObject({ damaged: true, id, cluster: 'prod', ageSeconds: null, matchedAt: null });
    expect(auditReport({ ...row, at: null, cluster: 7 })).toMatchObject({ damaged: true, cluster: '' });
  });

  it.each<Row>([{ kind: 'abort' }, { kind: 'action', uid: 'a', what: 'dance' }, {}])('is nothing for %j', (row) => {
    expect(auditReport(row)).toBeUndefined();
  });
});

describe('the audit', () => {
  it('is read by page, and says how many rows there are', async () => {
    const store = memoryStore();
    await store.commit([1, 2, 3].map((serial) => intentChange(keptAbort(serial, { at: epoch + serial }))));
    const page = await readAudit(store, [], { limit: 2, offset: 1 });
    expect(page.ok && [page.value.total, page.value.items.map(({ id }) => id)]).toEqual([
      3,
      [keptAbort(2).id, keptAbort(1).id],
    ]);
    await store.close();
    expect(await readAudit(store, [])).toEqual({ ok: false, error: 'the store is closed' });
  });

  it('is asked for by time, cluster, node and policy', () => {
    const query = new URLSearchParams('since=1h&until=2026-09-21T14:00:00Z&policy=p&node=n&cluster=c&limit=5&offset=0');
    expect(auditConditions(query, epoch)).toEqual({
      ok: true,
      value: [
        { column: 'at', is: '>=', value: epoch - 3_600_000 },
        { column: 'at', is: '<', value: Date.UTC(2026, 8, 21, 14) },
        { column: 'policy', is: '=', value: 'p' },
        { column: 'node', is: '=', value: 'n' },
        { column: 'cluster', is: '=', value: 'c' },
      ],
    });
  });

  it.each(['since=soon', 'outcome=confirmed', 'constructor=x'])('is not asked for by %s', (query) => {
    expect(auditConditions(new URLSearchParams(query), epoch).ok).toBe(false);
  });
});
