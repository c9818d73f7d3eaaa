import { DatabaseSync } from 'node:sqlite';
import { collectorTables } from './collector-tables.ts';
import { Database } from './database.ts';
import { lastWriterTable } from './last-writer.ts';
import { type MigrationRecord, migrationRecords, recordMigration } from './migration-records.ts';
import { convertSilences } from './silence-matchers.ts';
import { messageOf } from './sqlite-errors.ts';
import {
  acknowledgementColumn,
  alertingTables,
  clusterIndexes,
  deliveryLogColumns,
  guardTables,
  outboxTables,
  queueClusterColumn,
  returnedIntents,
  rollUpColumn,
  trackerTables,
  unmergedRows,
} from './tables.ts';

/** Part of a migration: an SQL statement, or a function that converts rows. */
export type MigrationStep = string | ((database: Database) => void);

/** Steps of the schema: the entry at index n leads from version n to version n + 1. */
export type MigrationSteps = readonly (readonly MigrationStep[])[];

/**
 * Steps from an empty database to the current schema. An entry is never edited once a state directory may have its
 * version, because that directory would keep the old tables under the new version: each change appends an entry.
 */
export const migrations: MigrationSteps = [
  [...trackerTables, ...alertingTables, ...outboxTables, ...guardTables],
  [convertSilences],
  [acknowledgementColumn],
  [rollUpColumn],
  [unmergedRows],
  deliveryLogColumns,
  returnedIntents,
  [migrationRecords, ...clusterIndexes],
  collectorTables,
  queueClusterColumn,
];

/** Version of the schema that this program works with. */
export const currentSchemaVersion = migrations.length;

/** Returns the schema version of a database; 0 for an empty one. */
export function schemaVersionOf(database: Database): number {
  return database.number('PRAGMA user_version');
}

/** Migrates a database to the newest version in one transaction, and records by which release and when. */
export function migrate(database: Database, steps: MigrationSteps = migrations, record?: MigrationRecord): void {
  const version = schemaVersionOf(database);
  if (version === steps.length) return;
  database.inTransaction(() => {
    for (const step of steps.slice(version).flat()) {
      if (typeof step === 'string') database.run(step);
      else step(database);
    }
    if (record !== undefined) recordMigration(database, steps.length, record);
    database.run(`PRAGMA user_version = ${steps.length}`);
  });
}

/** Statements that create the tables of the schema of some steps: running all steps takes six times as long. */
const statementsBySteps = new WeakMap<MigrationSteps, string>();

/** Returns a new database in memory that has all tables. */
export function openInMemoryDatabase(steps: MigrationSteps = migrations): Database {
  const database = new Database(new DatabaseSync(':memory:'));
  const statements = statementsBySteps.get(steps);
  if (statements === undefined) {
    migrate(database, steps);
    const created = [...schemaOf(database), `PRAGMA user_version = ${steps.length}`];
    statementsBySteps.set(steps, created.join(';'));
  } else database.inTransaction(() => database.run(statements));
  return database;
}

/** The statements that create the tables and indexes of a database. */
function schemaOf(database: Database): readonly string[] {
  return database.texts("SELECT sql FROM sqlite_schema WHERE sql <> '' AND name NOT LIKE 'sqlite%'");
}

/**
 * Returns the reason why the tables of a database cannot be migrated, undefined if they can. The steps run on an empty
 * copy of the tables, so that the database itself stays as it is.
 */
export function schemaMismatch(database: Database, steps: MigrationSteps = migrations): string | undefined {
  const expected = openInMemoryDatabase(steps);
  const copy = new Database(new DatabaseSync(':memory:'));
  try {
    for (const sql of schemaOf(database)) {
      copy.runFirst(sql);
    }
    copy.run(`PRAGMA user_version = ${schemaVersionOf(database)}`);
    migrate(copy, steps);
    const columns = new Set(columnsOf(copy));
    const missing = columnsOf(expected).find((column) => !columns.has(column));
    return missing === undefined ? undefined : `no column ${missing}`;
  } catch (error) {
    return messageOf(error);
  } finally {
    copy.close();
    expected.close();
  }
}

/**
 * Returns a difference between the schema of a database and that of its version, undefined if there is none. Runs no
 * statement of the database.
 */
export function schemaDifference(database: Database, steps: MigrationSteps = migrations): string | undefined {
  const expected = openInMemoryDatabase(steps.slice(0, schemaVersionOf(database)));
  try {
    for (const partsOf of [columnsOf, schemaObjects]) {
      const [present, known] = [new Set(partsOf(database)), new Set(partsOf(expected))];
      const missing = [...known].find((part) => !present.has(part));
      if (missing !== undefined) return `without ${firstLine(missing)}`;
      const unknown = [...present].find((part) => !known.has(part));
      if (unknown !== undefined) return `with an unknown ${firstLine(unknown)}`;
    }
    return undefined;
  } finally {
    expected.close();
  }
}

function columnsOf(database: Database): readonly string[] {
  return database.texts(
    `SELECT tables.name || '.' || columns.name FROM pragma_table_list AS tables, pragma_table_info(tables.name) AS columns
    WHERE tables.schema = 'main' AND tables.name NOT LIKE 'sqlite%' AND tables.name <> '${lastWriterTable}'`,
  );
}

/** Tables, indexes, views and triggers; views and triggers with their SQL text. */
function schemaObjects(database: Database): readonly string[] {
  return database.texts(
    `SELECT type || ' ' || name || CASE WHEN type IN ('view', 'trigger') THEN char(10) || sql ELSE '' END
    FROM sqlite_schema WHERE name NOT LIKE 'sqlite%' AND name <> '${lastWriterTable}' ORDER BY type, name`,
  );
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
