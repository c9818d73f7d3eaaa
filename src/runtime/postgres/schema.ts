import { stored } from '../store/tables.ts';
import { leaseTables, peerTables } from './lease-statements.ts';

/** Schema of the database that contains all tables. */
export const schemaName = 'graphwarden';

/** Table of the versions of the schema. */
export const versionsTable = 'migrations';

/** Texts are compared and ordered by their bytes, as in SQLite. */
const text = 'TEXT COLLATE "C" NOT NULL';
const optionalText = 'TEXT COLLATE "C"';
const number = 'BIGINT NOT NULL';
const optionalNumber = 'BIGINT';

/** Key and columns of a table of the store. */
export interface TableSchema {
  /** Columns of the primary key; empty if the table has none. */
  readonly key: readonly string[];
  /** Type of each column, in SQL. */
  readonly columns: Readonly<Record<string, string>>;
}

const replicaKey = { cluster: text, service: text, partition: text, replica: text } as const;
const replicaKeyColumns = Object.keys(replicaKey);

/**
 * Current tables, with the names and the columns that they have in SQLite. Times are ms since the epoch, booleans are 0 and 1. A
 * change of a table also appends to {@link schemaSteps} a statement that works with and without the change.
 */
export const stateTables: Readonly<Record<string, TableSchema>> = {
  transitions: {
    key: [...replicaKeyColumns, 'at'],
    columns: {
      ...replicaKey,
      at: number,
      from_status: text,
      to_status: text,
      process: text,
      event_id: text,
      event_ns: text,
      lasted: optionalNumber,
      source: text,
    },
  },
  tracker_replicas: {
    key: replicaKeyColumns,
    columns: {
      ...replicaKey,
      observed: text,
      observed_since: number,
      hard: text,
      hard_since: number,
      status: text,
      missing_since: optionalNumber,
      process: text,
      event_id: text,
      event_ns: text,
      source: text,
      changes: text,
      flapping: number,
    },
  },
  tracker_counts: {
    key: [...replicaKeyColumns, 'to_status'],
    columns: { ...replicaKey, to_status: text, transitions: number },
  },
  tracker_clusters: { key: ['cluster'], columns: { cluster: text, observed_until: number } },
  [stored.incidents]: {
    key: ['place'],
    columns: {
      place: text,
      key: text,
      number,
      cluster: text,
      rule: text,
      severity: text,
      starts_at: number,
      labels: text,
      identity: text,
      facts: text,
      annotations: text,
      [stored.notified]: text,
      acknowledgement: optionalText,
      roll_up: `${text} DEFAULT '{}'`,
    },
  },
  counters: { key: ['name'], columns: { name: text, value: number } },
  silences: {
    key: ['id'],
    columns: { id: text, matchers: text, starts_at: number, ends_at: number, author: text, reason: text },
  },
  unmerged_rows: { key: [], columns: { origin: text, content: text } },
  [stored.queues]: {
    key: ['receiver', 'key'],
    columns: { receiver: text, key: text, [stored.pending]: text, cluster: `${text} DEFAULT ''` },
  },
  notifications: {
    key: ['id'],
    columns: {
      id: text,
      at: number,
      receiver: text,
      key: text,
      [stored.incident]: number,
      action: text,
      result: text,
      incident: `${text} DEFAULT ''`,
      alertname: `${text} DEFAULT ''`,
      cluster: `${text} DEFAULT ''`,
      severity: `${text} DEFAULT ''`,
      labels: `${text} DEFAULT '{}'`,
      summary: `${text} DEFAULT ''`,
      queued_at: optionalNumber,
      attempts: `${number} DEFAULT 0`,
      reason: `${text} DEFAULT ''`,
      status: optionalNumber,
      proof: `${text} DEFAULT ''`,
      next_attempt_at: optionalNumber,
    },
  },
  guard_intents: {
    key: ['cluster', 'key'],
    columns: {
      cluster: text,
      key: text,
      node: text,
      id: text,
      start_time: text,
      graph: text,
      query: text,
      policy: text,
      policy_hash: text,
      manual_by: optionalText,
      manual_reason: optionalText,
      mode: text,
      at: number,
      evidence: text,
      notify: text,
    },
  },
  guard_outcomes: {
    key: ['cluster', 'key'],
    columns: { cluster: text, key: text, at: number, outcome: text, [stored.skipReason]: optionalText },
  },
  guard_actions: {
    key: ['uid'],
    columns: { uid: text, at: number, what: text, actor: text, cluster: text, subject: text, reason: text },
  },
  guard_standing: {
    key: ['cluster', 'kind', 'name'],
    columns: { cluster: text, kind: text, name: text, value: text, at: number },
  },
  trend_samples: { key: ['cluster', 'at'], columns: { cluster: text, at: number, samples: text } },
  collector_memory: { key: ['cluster', 'collector'], columns: { cluster: text, collector: text, content: text } },
};

/** Condition on a row of `guard_outcomes`: the query cannot run any more, or the abort request did not leave. */
const isOver = `outcome.outcome IN ('confirmed', 'finished_first', 'vanished', 'not_sent')
  OR (outcome.outcome = 'withdrawn' AND outcome.${stored.skipReason} = 'too_old')`;

/** Condition that is true for intents that retention must keep, because their query may still run. */
export const blocksSecondAbort = `NOT EXISTS (
  SELECT 1 FROM guard_outcomes AS outcome
  WHERE outcome.cluster = guard_intents.cluster AND outcome.key = guard_intents.key AND (${isOver})
)`;

const indexes: readonly string[] = [
  'CREATE INDEX transitions_at ON transitions (at)',
  'CREATE INDEX transitions_by_cluster ON transitions (cluster, at, service)',
  'CREATE INDEX guard_intents_by_time ON guard_intents (at)',
  'CREATE INDEX guard_intents_by_cluster ON guard_intents (cluster, at)',
  'CREATE INDEX guard_outcomes_by_time ON guard_outcomes (at)',
  'CREATE INDEX guard_actions_by_time ON guard_actions (at)',
  'CREATE INDEX notifications_by_time ON notifications (at)',
  'CREATE INDEX notifications_by_incident ON notifications (incident)',
];

const auditViews: readonly string[] = [
  `CREATE VIEW guard_aborts AS
    SELECT intent.*, outcome.at AS ended_at, outcome.outcome AS outcome, outcome.${stored.skipReason} AS ${stored.skipReason},
      CASE WHEN ${isOver} THEN 0 ELSE 1 END AS bars
    FROM guard_intents AS intent
    LEFT JOIN guard_outcomes AS outcome ON outcome.cluster = intent.cluster AND outcome.key = intent.key`,
  `CREATE VIEW guard_audit AS
    SELECT
      'abort' COLLATE "C" AS kind, cluster, at, key, node, id, start_time, graph, query, policy, policy_hash, manual_by,
      manual_reason, mode, evidence, notify, ended_at, outcome, ${stored.skipReason},
      NULL::TEXT COLLATE "C" AS uid, NULL::TEXT COLLATE "C" AS what, NULL::TEXT COLLATE "C" AS actor,
      NULL::TEXT COLLATE "C" AS subject, NULL::TEXT COLLATE "C" AS reason
    FROM guard_aborts
    UNION ALL
    SELECT
      'action', cluster, at, uid, '', NULL, NULL, NULL, NULL, '', NULL, NULL,
      NULL, NULL, NULL, NULL, NULL, NULL, NULL,
      uid, what, actor, subject, reason
    FROM guard_actions`,
];

/** Rows of the audit are never changed, and an intent whose query may still run is never deleted. */
const guardTriggers: readonly string[] = [
  `CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'rows of % are never changed', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation'; END $$`,
  ...['guard_intents', 'guard_outcomes', 'guard_actions'].map(
    (table) => `CREATE TRIGGER ${table}_stay BEFORE UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION refuse_change()`,
  ),
  `CREATE FUNCTION keep_intent() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
    BEGIN
      IF NOT EXISTS (
        SELECT 1 FROM guard_outcomes AS outcome
        WHERE outcome.cluster = OLD.cluster AND outcome.key = OLD.key AND (${isOver})
      ) THEN
        RAISE EXCEPTION 'this intent bars a query that may still run' USING ERRCODE = 'integrity_constraint_violation';
      END IF;
      RETURN OLD;
    END $$`,
  'CREATE TRIGGER guard_intents_bar BEFORE DELETE ON guard_intents FOR EACH ROW EXECUTE FUNCTION keep_intent()',
  `CREATE FUNCTION keep_outcome() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
    BEGIN
      IF EXISTS (SELECT 1 FROM guard_intents WHERE cluster = OLD.cluster AND key = OLD.key) THEN
        RAISE EXCEPTION 'this outcome belongs to an intent' USING ERRCODE = 'integrity_constraint_violation';
      END IF;
      RETURN OLD;
    END $$`,
  'CREATE TRIGGER guard_outcomes_belong BEFORE DELETE ON guard_outcomes FOR EACH ROW EXECUTE FUNCTION keep_outcome()',
  `CREATE FUNCTION delete_outcome() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
    BEGIN
      DELETE FROM guard_outcomes WHERE cluster = OLD.cluster AND key = OLD.key;
      RETURN OLD;
    END $$`,
  'CREATE TRIGGER guard_intents_go AFTER DELETE ON guard_intents FOR EACH ROW EXECUTE FUNCTION delete_outcome()',
];

/** Statements that create the tables of version 1 in an empty schema. */
const createTables: readonly string[] = [
  `CREATE TABLE ${versionsTable} (version BIGINT NOT NULL PRIMARY KEY, program TEXT NOT NULL, at BIGINT NOT NULL)`,
  ...Object.entries(stateTables).map(createTable),
  ...indexes,
  ...auditViews,
  ...guardTriggers,
  ...leaseTables,
];

/** Steps of the schema: the entry at index n leads from version n to version n + 1. */
export const schemaSteps: readonly (readonly string[])[] = [createTables, peerTables];

/** Quotes the name of a table or a column, which may be an SQL keyword. */
export function quoteName(name: string): string {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new TypeError(`'${name}' is not a valid table or column name`);
  return `"${name}"`;
}

function createTable([name, { key, columns }]: [string, TableSchema]): string {
  const lines = Object.entries(columns).map(([column, type]) => `${quoteName(column)} ${type}`);
  if (key.length > 0) lines.push(`PRIMARY KEY (${key.map(quoteName).join(', ')})`);
  return `CREATE TABLE ${quoteName(name)} (${lines.join(', ')})`;
}
