import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { restoreAlerting } from '../../../src/alert/alerting-store.ts';
import { shortIncidentId } from '../../../src/model/alert.ts';
import { parseNotification } from '../../../src/notify/outbox/notification-rows.ts';
import { restoreOutbox } from '../../../src/notify/outbox/outbox-store.ts';
import { LocalStore } from '../../../src/runtime/store/local-store.ts';
import { currentSchemaVersion, migrations, schemaVersionOf } from '../../../src/runtime/store/migrations.ts';
import { openStateFile, stateFilePath } from '../../../src/runtime/store/state-file.ts';
import { temporaryStateDir } from './temporary-folder.ts';

const now = { wall: 1_795_400_000_000, mono: 0 };

function migrated(version: number) {
  const folder = temporaryStateDir();
  const fixture = new URL(`../../fixtures/state/version-${version}.db.gz`, import.meta.url);
  writeFileSync(stateFilePath(folder), gunzipSync(readFileSync(fixture)));
  const opened = openStateFile(folder, { steps: migrations });
  if (!opened.ok) throw new Error(opened.error.message);
  expect(opened.value.movedAside).toBeUndefined();
  expect(schemaVersionOf(opened.value.database)).toBe(currentSchemaVersion);
  return { folder, store: new LocalStore(opened.value.database) };
}

describe.each([4, 5])('a database of version %d', (version) => {
  it('keeps a backup', async () => {
    const { folder, store } = migrated(version);
    await store.close();
    expect(readdirSync(folder).toSorted()).toEqual(['state.db', `state.db.version-${version}.backup`]);
  });

  it('keeps the incident and the receivers that were notified of it', async () => {
    const { incidents } = await restoreAlerting(migrated(version).store, now);
    const open = [...incidents.values()].filter(({ rule }) => rule === 'service_not_online');
    expect(open).toMatchObject([{ phase: 'firing', cluster: 'c', severity: 'warning' }]);
    expect(Object.keys(open[0]?.notified ?? {}).toSorted()).toEqual(['chat', 'oncall']);
  });

  it('keeps the notification queues', async () => {
    const { receivers } = await restoreOutbox(migrated(version).store);
    const stateAt = (name: string) => receivers.get(name)?.queues[0]?.incidents[0]?.deliveryState;
    expect(stateAt('chat')).toMatch(/^(no|maybe)$/);
    expect(stateAt('oncall')).toBe('yes');
  });

  it('keeps the log, whose entries get the ID of their incident', async () => {
    const { store } = migrated(version);
    const found = await store.find({ table: 'notifications', order: ['at'] });
    const rows = found.ok ? found.value : expect.fail(found.error);
    const entries = rows.map((row) => parseNotification(row));
    expect(entries.map((entry) => `${entry?.receiver} ${entry?.action} ${entry?.result}`).toSorted()).toEqual([
      'chat resolve accepted',
      'chat trigger accepted',
      'oncall resolve accepted',
      'oncall trigger accepted',
      'oncall trigger accepted',
    ]);
    for (const [at, entry] of entries.entries()) {
      expect(rows[at]?.incident).toBe(shortIncidentId(entry ?? { key: '', episode: 0 }));
      expect(entry).toMatchObject({ attempts: 0, labels: {}, reason: '', proof: '' });
      expect(entry?.queuedAt).toBeUndefined();
    }
  });
});
