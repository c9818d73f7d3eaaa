import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { latestMigration } from '../../../src/runtime/store/migration-records.ts';
import {
  currentSchemaVersion,
  type MigrationSteps,
  migrations,
  schemaVersionOf,
} from '../../../src/runtime/store/migrations.ts';
import { openStateFile, stateFilePath } from '../../../src/runtime/store/state-file.ts';
import { stateTools } from '../../../src/runtime/store/state-tools.ts';
import { folderOfVersion, keptVersions, openFolder, rowCounts } from './kept-versions.ts';
import { temporaryStateDir } from './temporary-folder.ts';

function toolsOf(steps: MigrationSteps) {
  return stateTools({ steps, now: Date.now, stdout: process.stdout });
}

/** Opens, counts and closes. */
function countedRows(folder: string, steps: MigrationSteps = migrations) {
  const database = openFolder(folder, { steps, program: '9.9.9' });
  const found = { version: schemaVersionOf(database), rows: rowCounts(database) };
  database.close();
  return found;
}

it('an upgrade is tested with a database of the version before the current one', () => {
  expect(keptVersions.at(-1)).toBe(currentSchemaVersion - 1);
});

describe.each(keptVersions)('a database of version %d', (version) => {
  const former = migrations.slice(0, version);

  it('is upgraded with all rows, and records the release', () => {
    const folder = folderOfVersion(version);
    const before = countedRows(folder, former);
    const database = openFolder(folder, { steps: migrations, program: '9.9.9' });
    onTestFinished(() => database.close());
    expect(schemaVersionOf(database)).toBe(currentSchemaVersion);
    expect(rowCounts(database)).toMatchObject(before.rows);
    expect(latestMigration(database)).toMatchObject({ program: '9.9.9' });
  });

  it('is rolled back by the command that the former release prints, and upgraded again', async () => {
    const folder = folderOfVersion(version);
    const before = countedRows(folder, former);
    const after = countedRows(folder);
    const refused = openStateFile(folder, { steps: former });
    const copy = join(folder, `state.db.version-${version}.backup`);
    const command = `graphwarden state restore ${copy} --state-dir ${folder}`;
    expect(refused.ok ? '' : refused.error.message).toContain(command);
    expect(await toolsOf(former).restore(folder, copy)).toMatchObject({ ok: true, value: { schemaVersion: version } });
    expect(countedRows(folder, former)).toEqual(before);
    expect(countedRows(folder)).toEqual(after);
  });
});

/** What a killed process leaves, after each step of a migration of version 7. */
function leftovers(): ReadonlyMap<string, string> {
  const folder = folderOfVersion(7);
  const copies = new Map<string, string>();
  const note = (point: string): void => {
    const index = temporaryStateDir();
    // Another process copies: closing a file in this one would release the locks of SQLite.
    execFileSync('cp', ['-r', `${folder}/.`, index]);
    // The steps first run on an empty copy of the tables: the second call counts.
    copies.delete(point);
    copies.set(point, index);
  };
  const steps = migrations.map((step, at) =>
    at < 7 ? step : step.flatMap((one, index) => [one, () => note(`statement ${at}.${index}`)]),
  );
  openFolder(folder, { steps, reached: note }).close();
  return copies;
}

describe('a migration that is killed', () => {
  it('leaves the former or the new version, and a usable copy of the former one', async () => {
    const left = leftovers();
    expect([...left.keys()]).toEqual([
      'file created',
      'rows copied',
      'copy checked',
      'copy synced',
      'copy renamed',
      'copy finished',
      'statement 7.0',
      'statement 7.1',
      'statement 7.2',
      'statement 8.0',
      'statement 8.1',
      'statement 9.0',
      'statement 9.1',
      'migrated',
      'older copies removed',
    ]);
    const before = countedRows(folderOfVersion(7), migrations.slice(0, 7));
    for (const [point, folder] of left) {
      const report = await toolsOf(migrations).checkFolder(folder);
      const version = report.ok ? report.value.schemaVersion : report.error;
      expect([point, version]).toEqual([point, /^(?:migrated|older)/.test(point) ? migrations.length : 7]);
      expect([point, countedRows(folder)]).toMatchObject([point, { version: migrations.length, rows: before.rows }]);
      expect(readdirSync(folder).toSorted()).toEqual(['state.db', 'state.db.version-7.backup']);
      const former = toolsOf(migrations.slice(0, 7));
      const restored = await former.restore(folder, `${stateFilePath(folder)}.version-7.backup`);
      expect([point, restored]).toMatchObject([point, { ok: true, value: { schemaVersion: 7 } }]);
    }
  });
});
