import { readSync, type Stats, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { StateCheck, StateCheckResult, StateReport, StateTable } from '../../kernel/state-tools.ts';
import type { Millis } from '../../kernel/time.ts';
import { formatTimestamp } from '../../kernel/timestamp.ts';
import { Database } from './database.ts';
import { isHistoryTable, tablesOf } from './history.ts';
import { latestMigration } from './migration-records.ts';
import { type MigrationSteps, schemaDifference, schemaVersionOf } from './migrations.ts';
import { UnreadableFile, withPlainFile } from './plain-file.ts';
import { readOnlyUri } from './read-only-database.ts';
import { isUnreadableDatabase, messageOf } from './sqlite-errors.ts';
import { applicationId } from './state-file.ts';

/** Options of a check. */
export interface StateCheckOptions {
  readonly steps: MigrationSteps;
  /** Ms since the epoch. */
  readonly now: number;
  /** A daemon may write to the file at the same time. */
  readonly isInUse?: boolean;
}

interface CheckOutcome {
  readonly result: StateCheckResult;
  readonly detail: string;
}

type Check = (database: Database, options: StateCheckOptions) => CheckOutcome;

/** Checks in their order: each relies on those before it. */
const checks: readonly (readonly [name: StateCheck['name'], check: Check])[] = [
  ['program', checkProgram],
  ['schema', checkSchema],
  ['integrity', checkIntegrity],
  ['bounds', checkBounds],
];

/** Start of every SQLite database. */
const magic = 'SQLite format 3\0';

/** Largest integer that the program reads exactly, and a length in bytes far above that of any text that it writes. */
const maxNumber = Number.MAX_SAFE_INTEGER;
const maxTextLength = 16 * 1024 * 1024;

/** Time by which the newest row may be in the future: clocks differ. */
const maxFuture: Millis = 24 * 3_600_000;

/** Checks a database file, which may be damaged or hostile, without writing to it. Throws an error if it cannot be read. */
export function checkDatabaseFile(path: string, options: StateCheckOptions): StateReport {
  return withPlainFile(path, (file, stats) => {
    const report = { file: path, bytes: stats.size, supportedVersion: options.steps.length };
    const nothing = { ...report, schemaVersion: undefined, program: undefined, tables: [] };
    const found = checkHeader(path, file, stats);
    const first: StateCheck = { name: 'file', ...found };
    if (found.result === 'failed') return { ...nothing, checks: [first] };
    try {
      return withUntrustedDatabase(path, options.isInUse === true, (database) => {
        const made = [first, ...runChecks(database, options)];
        const isUsable = made.every(({ result }) => result !== 'failed');
        return {
          ...report,
          schemaVersion: schemaVersionOf(database),
          program: latestMigration(database)?.program,
          checks: made,
          tables: isUsable ? tablesOf(database).map((name) => summarizeTable(database, name)) : [],
        };
      });
    } catch (error) {
      if (!isUnreadableDatabase(error)) throw new UnreadableFile(`cannot read '${path}': ${messageOf(error)}`);
      return { ...nothing, checks: [first, { name: 'integrity', result: 'failed', detail: messageOf(error) }] };
    }
  });
}

/** Returns why a daemon cannot use a database; undefined if it can. */
export function unusableReason({ checks: made }: StateReport): string | undefined {
  return made.find(({ result }) => result === 'failed')?.detail;
}

function withUntrustedDatabase<T>(path: string, isInUse: boolean, work: (database: Database) => T): T {
  const uri = readOnlyUri(path, { isInUse });
  const database = new Database(new DatabaseSync(uri, { readOnly: true, timeout: 1000 }));
  try {
    // Functions in the schema of the file must not be called, and a damaged page must not be read beyond its end.
    database.run('PRAGMA trusted_schema = OFF', 'PRAGMA cell_size_check = ON');
    return work(database);
  } finally {
    database.close();
  }
}

function runChecks(database: Database, options: StateCheckOptions): readonly StateCheck[] {
  const made: StateCheck[] = [];
  for (const [name, check] of checks) {
    const found = check(database, options);
    made.push({ name, ...found });
    if (found.result === 'failed') break;
  }
  return made;
}

/** Checks the header without SQLite, because SQLite treats an empty file as an empty database. */
function checkHeader(path: string, file: number, { size }: Stats): CheckOutcome {
  const header = Buffer.alloc(100);
  readSync(file, header, 0, header.length, 0);
  if (size === 0) return failed('the file is empty');
  if (size < header.length) return failed(`truncated: ${size} bytes`);
  if (header.toString('latin1', 0, magic.length) !== magic) return failed('not an SQLite database');
  const stored = header.readUInt16BE(16);
  const pageSize = stored === 1 ? 65_536 : stored;
  // The number of pages is valid if the database was last written by a release of SQLite that maintains it.
  const pages = header.readUInt32BE(24) === header.readUInt32BE(92) ? header.readUInt32BE(28) : 0;
  const isLogged = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  if (!isLogged && size < pages * pageSize) return failed(`truncated: ${size} of ${pages * pageSize} bytes`);
  return ok(`${size} bytes`);
}

function checkProgram(database: Database): CheckOutcome {
  const isOurs = database.number('PRAGMA application_id') === applicationId;
  if (!isOurs) return failed('a database of another program');
  const migration = latestMigration(database);
  if (migration === undefined) return ok('graphwarden');
  return ok(`graphwarden ${migration.program}, ${formatTimestamp(migration.at)}`);
}

function checkSchema(database: Database, { steps }: StateCheckOptions): CheckOutcome {
  const version = schemaVersionOf(database);
  if (version < 1) return failed(`there is no schema version ${version}`);
  if (version > steps.length) {
    return failed(`schema version ${version} of a newer release; this one supports version ${steps.length}`);
  }
  const difference = schemaDifference(database, steps);
  if (difference !== undefined) return failed(`schema version ${version}, but ${difference}`);
  const isCurrent = version === steps.length;
  return ok(`version ${version}${isCurrent ? '' : `, which the daemon migrates to ${steps.length}`}`);
}

function checkIntegrity(database: Database): CheckOutcome {
  const found = database.texts('PRAGMA integrity_check(1)')[0] ?? '';
  return found === 'ok' ? ok('all pages, rows and indexes') : failed(`damaged: ${found.split('\n').at(-1)}`);
}

/** Checks that all values can be read, and that no row is in the future, where retention does not delete it. */
function checkBounds(database: Database, { now }: StateCheckOptions): CheckOutcome {
  const tables = tablesOf(database);
  for (const table of tables) {
    const outside = database.number(`SELECT count(*) FROM "${table}" WHERE ${outsideBounds(database, table)}`);
    if (outside > 0) return failed(`${table}: ${outside} rows have a value that is too large`);
  }
  const summaries = tables.map((table) => summarizeTable(database, table));
  const future = summaries.find(({ newest = 0 }) => newest > now + maxFuture);
  if (future === undefined) return ok(`${summaries.reduce((sum, { rows }) => sum + rows, 0)} rows`);
  return { result: 'warning', detail: `${future.name}: the newest row is in the future` };
}

function outsideBounds(database: Database, table: string): string {
  const columns = database.rows(`SELECT name, type FROM pragma_table_info('${table}')`);
  const conditions = columns.map(({ name, type }) =>
    type === 'TEXT' ? `length("${name}") > ${maxTextLength}` : `"${name}" NOT BETWEEN -${maxNumber} AND ${maxNumber}`,
  );
  return conditions.join(' OR ');
}

function summarizeTable(database: Database, name: string): StateTable {
  const rows = database.number(`SELECT count(*) FROM "${name}"`);
  if (!isHistoryTable(name) || rows === 0) return { name, rows };
  const at = (which: 'min' | 'max'): number => database.number(`SELECT ${which}(at) FROM "${name}"`);
  return { name, rows, oldest: at('min'), newest: at('max') };
}

function ok(detail: string): CheckOutcome {
  return { result: 'ok', detail };
}

function failed(detail: string): CheckOutcome {
  return { result: 'failed', detail };
}
