import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ok } from '../../../src/kernel/result.ts';
import type { Row, StoreChange } from '../../../src/kernel/store.ts';
import type { SharedStateSettings } from '../../../src/model/replica-database.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { sharedStateTools } from '../../../src/runtime/postgres/database-tools.ts';
import { migrations } from '../../../src/runtime/store/migrations.ts';
import { openReadOnlyDatabase } from '../../../src/runtime/store/read-only-database.ts';
import { openStateFile } from '../../../src/runtime/store/state-file.ts';
import { stored } from '../../../src/runtime/store/tables.ts';
import { type PostgresServer, superuser } from '../../support/postgres.ts';

/** Tools without files. */
export const tools = sharedStateTools({
  files: { readText: async () => ok('') },
  clock: systemClock,
  program: '1.2.3',
});

const changes: readonly StoreChange[] = [
  ...Array.from({ length: 2500 }, (_, at) => ({
    table: 'notifications',
    put: {
      id: `n${at}`,
      at,
      receiver: 'r',
      key: 'k',
      [stored.incident]: 1,
      action: 'trigger',
      result: 'sent',
      status: at % 2 === 0 ? 200 : null,
    },
  })),
  { table: 'counters', put: { name: 'incidents', value: 2 ** 40 } },
  { table: 'unmerged_rows', put: { origin: 'lanes', content: '{}' } },
  { table: 'guard_actions', put: { uid: 'u', at: 1, what: 'w', actor: 'ä', cluster: 'c', subject: '', reason: 'r' } },
];

/** Returns a folder that lasts as long as the test. */
export async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'graphwarden-migrate-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** Returns a state directory with rows in several tables. */
export async function folderWithRows(): Promise<string> {
  const path = await folder();
  const opened = openStateFile(path, { steps: migrations, program: '1.2.3' });
  if (!opened.ok) throw new Error(opened.error.message);
  opened.value.database.commit([changes]);
  opened.value.database.close();
  return path;
}

/** Returns the rows of a table of a state directory. */
export function rowsOf(path: string, table: string): readonly Row[] {
  const opened = openReadOnlyDatabase(path, migrations);
  if (!opened.ok) throw new Error(opened.error);
  try {
    return opened.value.rows(`SELECT * FROM ${table} ORDER BY 1`);
  } finally {
    opened.value.close();
  }
}

/** Returns the settings of a new database. */
export async function settingsOf(server: PostgresServer): Promise<SharedStateSettings> {
  return {
    hosts: [{ host: '127.0.0.1', port: server.port }],
    user: superuser,
    database: await server.createDatabase(),
  };
}
