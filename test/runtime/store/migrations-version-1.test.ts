import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { incidentFromRow, restoreAlerting } from '../../../src/alert/alerting-store.ts';
import { parseAbort } from '../../../src/guard/storage/abort-rows.ts';
import { loadGuardState } from '../../../src/guard/storage/guard-state-rows.ts';
import { parseAction } from '../../../src/guard/storage/operator-action-rows.ts';
import type { Row, Store } from '../../../src/kernel/store.ts';
import {
  alertQueueChange,
  clusterOfQueue,
  outboxEntryFromRow,
  receiverStateChange,
  restoreOutbox,
} from '../../../src/notify/outbox/outbox-store.ts';
import { LocalStore } from '../../../src/runtime/store/local-store.ts';
import { currentSchemaVersion, migrations, schemaVersionOf } from '../../../src/runtime/store/migrations.ts';
import { openStateFile, stateFilePath } from '../../../src/runtime/store/state-file.ts';
import { restoreTracker } from '../../../src/track/restore.ts';
import { parseTransition } from '../../../src/track/rows.ts';
import { temporaryStateDir } from './temporary-folder.ts';

const fixture = new URL('../../fixtures/state/version-1.db.gz', import.meta.url);
const now = { wall: 1_795_351_000_000, mono: 0 };

/** Stored names that differ from the words of the code. */
const pendingColumn = 'owed';
const deliveryStateKey = 'heard';

/** A queued incident as version 1 stored it, with every field that it may have. */
const outage = { since: 1, answeringSince: 2 };
const storedIncident = {
  alert: {
    key: 'k',
    episode: 7,
    rule: 'node_unreachable',
    severity: 'critical',
    labels: { node: 'm1' },
    annotations: { summary: 'm1 does not answer' },
    status: 'resolved',
    startsAt: 3,
    endsAt: 4,
    generatorUrl: '',
  },
  [deliveryStateKey]: 'maybe',
  due: 5,
  endDue: 6,
  again: false,
  over: true,
  group: { alertname: 'GraphdbNodeUnreachable' },
  groupWait: 30_000,
  fallback: 'chat',
  outage,
  parked: { why: 'hopeless', at: 8 },
};
const storedReceiver = {
  folded: {
    newest: [{ key: 'k', episode: 7, summary: 's', severity: 'critical', startsAt: 3, endsAt: 4 }],
    count: 1,
  },
  outage,
  brokenSince: 9,
};

/** Returns the migrated store and the folder that it is in. */
function migrated(): {
  readonly folder: string;
  readonly store: Store;
  readonly before: readonly (readonly [string, number])[];
} {
  const folder = temporaryStateDir();
  writeFileSync(stateFilePath(folder), gunzipSync(readFileSync(fixture)));
  const before = countRows(stateFilePath(folder));
  const opened = openStateFile(folder, { steps: migrations });
  if (!opened.ok) throw new Error(opened.error.message);
  expect(opened.value.movedAside).toBeUndefined();
  expect(schemaVersionOf(opened.value.database)).toBe(currentSchemaVersion);
  return { folder, store: new LocalStore(opened.value.database), before };
}

function countRows(path: string): readonly (readonly [string, number])[] {
  const database = new DatabaseSync(path, { readOnly: true });
  const names = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
  const counts = names.map(({ name }) => {
    const [count] = Object.values(database.prepare(`SELECT count(*) FROM ${String(name)}`).get() ?? {});
    return [String(name), Number(count)] as const;
  });
  database.close();
  return counts;
}

async function rowsOf(store: Store, table: string): Promise<readonly Row[]> {
  const found = await store.find({ table });
  return found.ok ? found.value : expect.fail(found.error);
}

it('migration of version 1 › migrates a database of version 1 with all its rows, after a backup', async () => {
  const { folder, store, before } = migrated();
  await store.close();
  expect(Object.fromEntries(before)).toMatchObject({ silences: 2, episodes: 5, guard_intents: 5, lanes: 16 });
  expect(readdirSync(folder).toSorted()).toEqual(['state.db', 'state.db.version-1.backup']);
  expect(countRows(stateFilePath(folder))).toEqual(expect.arrayContaining([...before]));
  expect(countRows(join(folder, 'state.db.version-1.backup'))).toEqual(before);
});

it('migration of version 1 › restores silences and incidents of version 1', async () => {
  const { store } = migrated();
  const { silences, incidents, lastNumber } = await restoreAlerting(store, now);
  expect([...silences.values()]).toEqual([
    {
      id: 'te6ndyha2r',
      matchers: [{ name: 'severity', operator: '=~', value: 'critical|warning' }],
      startsAt: 1_795_350_410_979,
      endsAt: 1_796_214_410_979,
      author: 'alice',
      reason: 'upgrade of the storage',
    },
    {
      id: 'vqhcf974bq',
      matchers: [
        { name: 'cluster_name', operator: '=~', value: String.raw`prod \(west\)\|1\.5|test` },
        { name: 'host_id', operator: '=', value: 'm2' },
      ],
      startsAt: 1_795_350_415_984,
      endsAt: 1_797_078_415_984,
      author: 'bob',
      reason: String.raw`names with "quotes" and \ in them`,
    },
  ]);
  expect(lastNumber).toBe(1_795_350_440);
  const rows = await rowsOf(store, 'episodes');
  expect(rows.map((row) => incidentFromRow(row, now)?.rule)).toEqual(rows.map(({ rule }) => rule));
  expect(incidents.size).toBe(rows.length);
});

it('migration of version 1 › restores the tracker of version 1', async () => {
  const { store } = migrated();
  const { replicas, observedUntil } = await restoreTracker('simulated', store, now);
  const rows = await rowsOf(store, 'tracker_replicas');
  const confirmed = [...replicas.values()].map((replica) => replica.confirmed);
  expect(confirmed.toSorted((a, b) => a.localeCompare(b))).toEqual(
    rows.map(({ hard }) => String(hard)).toSorted((a, b) => a.localeCompare(b)),
  );
  expect(observedUntil).toBe(1_795_350_460_932);
  const transitions = await rowsOf(store, 'transitions');
  for (const row of transitions) expect(parseTransition(row)).toMatchObject({ to: row.to_status });
});

it('migration of version 1 › restores the guard of version 1', async () => {
  const { store } = migrated();
  const state = await loadGuardState(store, 'simulated');
  expect(state).toMatchObject({ ok: true, value: { isPaused: true, problems: [] } });
  const aborts = await rowsOf(store, 'guard_aborts');
  expect(aborts).toHaveLength(5);
  for (const row of aborts) expect(parseAbort(row)).toMatchObject({ ended: { outcome: 'confirmed' } });
  for (const row of await rowsOf(store, 'guard_actions')) expect(parseAction(row)).toBeDefined();
});

it('migration of version 1 › restores the notification queues of version 1 and writes them in the same form', async () => {
  const { store } = migrated();
  const rows = await rowsOf(store, 'lanes');
  const cluster = '';
  const full = {
    receiver: 'oncall',
    cluster,
    key: 'k',
    [pendingColumn]: JSON.stringify({ episodes: [storedIncident] }),
  };
  const state = { receiver: 'oncall', cluster: '', key: '', [pendingColumn]: JSON.stringify(storedReceiver) };
  for (const row of [...rows, full, state]) {
    const entry = outboxEntryFromRow(row);
    if (entry === undefined) throw new Error(`not readable: ${JSON.stringify(row)}`);
    const change =
      entry.kind === 'queue'
        ? alertQueueChange(entry.receiver, entry.queue, clusterOfQueue(entry.queue))
        : receiverStateChange(entry.receiver, entry.state);
    const written = 'put' in change ? change.put : expect.fail('nothing is written');
    expect({ ...written, [pendingColumn]: JSON.parse(String(written[pendingColumn])) }).toEqual({
      ...row,
      [pendingColumn]: JSON.parse(String(row[pendingColumn])),
    });
  }
  expect((await restoreOutbox(store)).receivers.size).toBe(4);
});
