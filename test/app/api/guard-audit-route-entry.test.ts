import { describe, expect, it } from 'vitest';
import { auditColumns, queryAudit, toAuditEntry } from '../../../src/app/api/guard-audit-route.ts';
import { rowConditions } from '../../../src/app/api/query-parameters.ts';
import { intentChange, outcomeChange, type StoredOutcome } from '../../../src/guard/storage/abort-rows.ts';
import { actionChange } from '../../../src/guard/storage/operator-action-rows.ts';
import type { Row } from '../../../src/kernel/store.ts';
import { memoryStore } from '../../../src/runtime/store/local-store.ts';
import { epoch } from '../../guard/observations.ts';
import { rowOf, storedAbort } from '../../guard/storage/stored-aborts.ts';
import { fixedRandom } from '../fakes.ts';

const action = { what: 'pause', by: 'alice', cluster: '', subject: '', reason: 'migration' } as const;

/** Returns the rows of the audit log after an abort, its outcome and an operator action. */
async function stored(row: Row, ended?: StoredOutcome): Promise<readonly Row[]> {
  const store = memoryStore();
  const outcome = ended === undefined ? [] : [outcomeChange(storedAbort(), ended)];
  await store.commit([
    { table: 'guard_intents', put: row },
    ...outcome,
    actionChange({ ...action, at: epoch }, fixedRandom(0)),
  ]);
  const rows = await store.find({ table: 'guard_audit', order: ['kind'] });
  return rows.ok ? rows.value : [];
}

const good = rowOf(intentChange(storedAbort()));

describe('audit entry', () => {
  it('is an abort with its evidence and outcome', async () => {
    const [row = {}] = await stored(good, { outcome: 'withdrawn', at: epoch + 6000, skipReason: 'paused' });
    expect(toAuditEntry(row, [])).toEqual({
      kind: 'abort',
      at: '2026-09-21T14:13:25.000Z',
      cluster: 'prod',
      node: 'n1',
      id: storedAbort().id,
      graph: 'fraud',
      query: 'ring_scan',
      policy: 'runaway',
      policyHash: '0123456789ab',
      by: '',
      reason: '',
      action: '',
      subject: '',
      ageSeconds: 700,
      grantedTimeoutSeconds: 3600,
      matchedAt: '2026-09-21T14:13:21.000Z',
      earliestAbortAt: '2026-09-21T14:13:25.000Z',
      firstSeenAt: '2026-09-21T14:13:15.000Z',
      lastSeenAt: '2026-09-21T14:13:24.900Z',
      pressures: { node_memory: 0.91 },
      notify: ['oncall'],
      outcome: 'withdrawn',
      endedAt: '2026-09-21T14:13:26.000Z',
      skipReason: 'paused',
      replayCommand: '',
      damaged: false,
    });
  });

  it('has no outcome while the outcome is unknown', async () => {
    const [row = {}] = await stored(good);
    expect(toAuditEntry(row, [])).toMatchObject({ outcome: '', endedAt: null, skipReason: '' });
  });

  it('names the operator of a manual abort, and the reason', async () => {
    const manual = { by: 'bob', reason: 'blocks the load' };
    const [row = {}] = await stored(rowOf(intentChange(storedAbort(1, { manual, policy: '', mode: 'manual' }))));
    expect(toAuditEntry(row, [])).toMatchObject({ kind: 'abort', policy: '', ...manual });
    expect(toAuditEntry(row, [])).not.toHaveProperty('manual');
  });

  it('is an operator action', async () => {
    const [, row = {}] = await stored(good);
    expect(toAuditEntry(row, [])).toMatchObject({
      kind: 'operator_action',
      action: 'pause',
      by: 'alice',
      reason: 'migration',
      cluster: '',
      subject: '',
      node: '',
      id: '',
      ageSeconds: null,
      outcome: '',
    });
  });

  it('contains the readable fields of a damaged row', async () => {
    const [row = {}] = await stored({ ...good, evidence: '{', policy: '<b>' });
    const { id } = storedAbort();
    expect(toAuditEntry(row, [])).toMatchObject({
      damaged: true,
      id,
      cluster: 'prod',
      ageSeconds: null,
      matchedAt: null,
    });
    expect(toAuditEntry({ ...row, at: null, cluster: 7 }, [])).toMatchObject({ damaged: true, cluster: '' });
  });

  it.each<Row>([{ kind: 'abort' }, { kind: 'action', uid: 'a', what: 'dance' }, {}])('does not exist for %j', (row) => {
    expect(toAuditEntry(row, [])).toBeUndefined();
  });
});

describe('audit log', () => {
  it('is read by page, with the number of rows', async () => {
    const store = memoryStore();
    await store.commit([1, 2, 3].map((serial) => intentChange(storedAbort(serial, { at: epoch + serial }))));
    const page = await queryAudit(store, [], { limit: 2, offset: 1, evidence: [] });
    expect(page.ok && [page.value.total, page.value.items.map(({ id }) => id)]).toEqual([
      3,
      [storedAbort(2).id, storedAbort(1).id],
    ]);
    await store.close();
    expect(await queryAudit(store, [], { evidence: [] })).toEqual({ ok: false, error: 'the store is closed' });
  });

  it('is filtered by time, cluster, node and policy', () => {
    const query = new URLSearchParams('since=1h&until=2026-09-21T14:00:00Z&policy=p&node=n&cluster=c&limit=5&offset=0');
    expect(rowConditions(query, auditColumns, epoch)).toEqual({
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

  it.each(['since=soon', 'outcome=confirmed', 'constructor=x'])('rejects %s', (query) => {
    expect(rowConditions(new URLSearchParams(query), auditColumns, epoch).ok).toBe(false);
  });
});
