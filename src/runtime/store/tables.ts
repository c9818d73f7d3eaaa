import { unmergedRowsTable } from '../../kernel/unmerged-rows.ts';

/** Tables of the tracker. Times are ms since the epoch, booleans are 0 and 1. */
export const trackerTables: readonly string[] = [
  `CREATE TABLE transitions (
    cluster TEXT NOT NULL,
    service TEXT NOT NULL,
    partition TEXT NOT NULL,
    replica TEXT NOT NULL,
    at INTEGER NOT NULL,
    from_status TEXT NOT NULL,
    to_status TEXT NOT NULL,
    process TEXT NOT NULL,
    event_id TEXT NOT NULL,
    event_ns TEXT NOT NULL,
    lasted INTEGER,
    source TEXT NOT NULL,
    PRIMARY KEY (cluster, service, partition, replica, at)
  ) STRICT`,
  'CREATE INDEX transitions_at ON transitions (at)',
  `CREATE TABLE tracker_replicas (
    cluster TEXT NOT NULL,
    service TEXT NOT NULL,
    partition TEXT NOT NULL,
    replica TEXT NOT NULL,
    observed TEXT NOT NULL,
    observed_since INTEGER NOT NULL,
    hard TEXT NOT NULL,
    hard_since INTEGER NOT NULL,
    status TEXT NOT NULL,
    missing_since INTEGER,
    process TEXT NOT NULL,
    event_id TEXT NOT NULL,
    event_ns TEXT NOT NULL,
    source TEXT NOT NULL,
    changes TEXT NOT NULL,
    flapping INTEGER NOT NULL,
    PRIMARY KEY (cluster, service, partition, replica)
  ) STRICT`,
  `CREATE TABLE tracker_counts (
    cluster TEXT NOT NULL,
    service TEXT NOT NULL,
    partition TEXT NOT NULL,
    replica TEXT NOT NULL,
    to_status TEXT NOT NULL,
    transitions INTEGER NOT NULL,
    PRIMARY KEY (cluster, service, partition, replica, to_status)
  ) STRICT`,
  `CREATE TABLE tracker_clusters (
    cluster TEXT NOT NULL,
    observed_until INTEGER NOT NULL,
    PRIMARY KEY (cluster)
  ) STRICT`,
];

/**
 * Indexes for lists of one cluster, the latest row first: a query reads only the rows that it returns, and not all rows of the
 * cluster. The column `service` is for lists of one service.
 */
export const clusterIndexes: readonly string[] = [
  'CREATE INDEX transitions_by_cluster ON transitions (cluster, at, service)',
  'CREATE INDEX guard_intents_by_cluster ON guard_intents (cluster, at)',
];

/**
 * Names of tables and columns that differ from the words of the code. Databases of version 1 contain them, so a change
 * needs a migration.
 */
export const stored = {
  incidents: 'episodes',
  incident: 'episode',
  notified: 'told',
  queues: 'lanes',
  pending: 'owed',
  skipReason: 'doubt',
} as const;

/** Tables of alerting: firing incidents, the highest incident number, and silences. Times are ms since the epoch. */
export const alertingTables: readonly string[] = [
  `CREATE TABLE ${stored.incidents} (
    place TEXT NOT NULL,
    key TEXT NOT NULL,
    number INTEGER NOT NULL,
    cluster TEXT NOT NULL,
    rule TEXT NOT NULL,
    severity TEXT NOT NULL,
    starts_at INTEGER NOT NULL,
    labels TEXT NOT NULL,
    identity TEXT NOT NULL,
    facts TEXT NOT NULL,
    annotations TEXT NOT NULL,
    ${stored.notified} TEXT NOT NULL,
    PRIMARY KEY (place)
  ) STRICT`,
  `CREATE TABLE counters (
    name TEXT NOT NULL,
    value INTEGER NOT NULL,
    PRIMARY KEY (name)
  ) STRICT`,
  `CREATE TABLE silences (
    id TEXT NOT NULL,
    match TEXT NOT NULL,
    starts_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL,
    author TEXT NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (id)
  ) STRICT`,
];

/** Current tables whose rows the application merges after the state directory was missing for a while. */
export const mergedTables: ReadonlySet<string> = new Set([stored.queues]);

/** Tables of which the row with the higher `value` is kept. */
export const counterTables: ReadonlySet<string> = new Set(['counters']);

/** Rows that the application has to merge: `content` is the JSON of a row of the table `origin`. */
export const unmergedRows = `CREATE TABLE ${unmergedRowsTable} (
  origin TEXT NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (origin, content)
) STRICT`;

/** Adds the acknowledgement of an incident, as JSON; NULL: not acknowledged. */
export const acknowledgementColumn = `ALTER TABLE ${stored.incidents} ADD COLUMN acknowledgement TEXT`;

/** Adds the cause that includes an alert and the changes of its incident, as JSON. */
export const rollUpColumn = `ALTER TABLE ${stored.incidents} ADD COLUMN roll_up TEXT NOT NULL DEFAULT '{}'`;

/** All rows of the audit. */
const auditView = `CREATE VIEW guard_audit AS
    SELECT
      'abort' AS kind, cluster, at, key, node, id, start_time, graph, query, policy, policy_hash, manual_by,
      manual_reason, mode, evidence, notify, ended_at, outcome, ${stored.skipReason},
      NULL AS uid, NULL AS what, NULL AS actor, NULL AS subject, NULL AS reason
    FROM guard_aborts
    UNION ALL
    SELECT
      'action', cluster, at, uid, '', NULL, NULL, NULL, NULL, '', NULL, NULL,
      NULL, NULL, NULL, NULL, NULL, NULL, NULL,
      uid, what, actor, subject, reason
    FROM guard_actions`;

/**
 * Condition on a row of `guard_outcomes`, in SQL: the abort request did not leave, for a reason of graphwarden's own, so
 * the query may be decided again.
 */
export function isReturned(outcome: string): string {
  return `(${outcome}.outcome = 'not_sent' OR (${outcome}.outcome = 'withdrawn' AND ${outcome}.${stored.skipReason} = 'too_old'))`;
}

/** Replaces the views and the trigger of the guard: an intent whose abort request was not sent excludes nothing. */
export const returnedIntents: readonly string[] = [
  'DROP VIEW guard_audit',
  'DROP VIEW guard_aborts',
  'DROP TRIGGER guard_intents_bar',
  `CREATE TRIGGER guard_intents_bar BEFORE DELETE ON guard_intents
    WHEN NOT EXISTS (
      SELECT 1 FROM guard_outcomes AS outcome
      WHERE outcome.cluster = OLD.cluster AND outcome.key = OLD.key
        AND (outcome.outcome IN ('confirmed', 'finished_first', 'vanished') OR ${isReturned('outcome')})
    )
    BEGIN SELECT RAISE(ABORT, 'this intent bars a query that may still run'); END`,
  `CREATE VIEW guard_aborts AS
    SELECT
      intent.*,
      outcome.at AS ended_at,
      outcome.outcome AS outcome,
      outcome.${stored.skipReason} AS ${stored.skipReason},
      coalesce(outcome.outcome NOT IN ('confirmed', 'finished_first', 'vanished') AND NOT coalesce(${isReturned('outcome')}, 0), 1) AS bars
    FROM guard_intents AS intent
    LEFT JOIN guard_outcomes AS outcome ON outcome.cluster = intent.cluster AND outcome.key = intent.key`,
  auditView,
];

/** Tables of the outbox: pending notifications by receiver, and the history of sent ones. */
export const outboxTables: readonly string[] = [
  `CREATE TABLE ${stored.queues} (
    receiver TEXT NOT NULL,
    key TEXT NOT NULL,
    ${stored.pending} TEXT NOT NULL,
    PRIMARY KEY (receiver, key)
  ) STRICT`,
  `CREATE TABLE notifications (
    id TEXT NOT NULL PRIMARY KEY,
    at INTEGER NOT NULL,
    receiver TEXT NOT NULL,
    key TEXT NOT NULL,
    ${stored.incident} INTEGER NOT NULL,
    action TEXT NOT NULL,
    result TEXT NOT NULL
  ) STRICT`,
  'CREATE INDEX notifications_by_time ON notifications (at)',
];

/** Adds what the delivery log states of each notification. Earlier rows have the defaults. Times are ms since the epoch. */
export const deliveryLogColumns: readonly string[] = [
  ...[
    "incident TEXT NOT NULL DEFAULT ''",
    "alertname TEXT NOT NULL DEFAULT ''",
    "cluster TEXT NOT NULL DEFAULT ''",
    "severity TEXT NOT NULL DEFAULT ''",
    "labels TEXT NOT NULL DEFAULT '{}'",
    "summary TEXT NOT NULL DEFAULT ''",
    'queued_at INTEGER',
    'attempts INTEGER NOT NULL DEFAULT 0',
    "reason TEXT NOT NULL DEFAULT ''",
    'status INTEGER',
    "proof TEXT NOT NULL DEFAULT ''",
    'next_attempt_at INTEGER',
  ].map((column) => `ALTER TABLE notifications ADD COLUMN ${column}`),
  `UPDATE notifications SET incident = substr(key, 1, 12) || '-' || ${stored.incident} WHERE key <> ''`,
  'CREATE INDEX notifications_by_incident ON notifications (incident)',
];

/** Adds the cluster of each notification queue, whose alerts are all about one; `''` for alerts about graphwarden itself. */
export const queueClusterColumn: readonly string[] = [
  `ALTER TABLE ${stored.queues} ADD COLUMN cluster TEXT NOT NULL DEFAULT ''`,
  `UPDATE ${stored.queues} SET cluster = coalesce(json_extract(${stored.pending}, '$.${stored.incidents}[0].alert.labels.cluster_name'), '')
    WHERE json_valid(${stored.pending})`,
];

/**
 * Tables of the guard: aborts with their reasons, their outcomes, actions of operators, and states that last, such
 * as a pause. Times are ms since the epoch; `evidence` and `notify` are JSON.
 */
export const guardTables: readonly string[] = [
  `CREATE TABLE guard_intents (
    cluster TEXT NOT NULL,
    key TEXT NOT NULL,
    node TEXT NOT NULL,
    id TEXT NOT NULL,
    start_time TEXT NOT NULL,
    graph TEXT NOT NULL,
    query TEXT NOT NULL,
    policy TEXT NOT NULL,
    policy_hash TEXT NOT NULL,
    manual_by TEXT,
    manual_reason TEXT,
    mode TEXT NOT NULL,
    at INTEGER NOT NULL,
    evidence TEXT NOT NULL,
    notify TEXT NOT NULL,
    PRIMARY KEY (cluster, key)
  ) STRICT`,
  'CREATE INDEX guard_intents_by_time ON guard_intents (at)',
  `CREATE TABLE guard_outcomes (
    cluster TEXT NOT NULL,
    key TEXT NOT NULL,
    at INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    ${stored.skipReason} TEXT,
    PRIMARY KEY (cluster, key)
  ) STRICT`,
  'CREATE INDEX guard_outcomes_by_time ON guard_outcomes (at)',
  `CREATE TABLE guard_actions (
    uid TEXT NOT NULL PRIMARY KEY,
    at INTEGER NOT NULL,
    what TEXT NOT NULL,
    actor TEXT NOT NULL,
    cluster TEXT NOT NULL,
    subject TEXT NOT NULL,
    reason TEXT NOT NULL
  ) STRICT`,
  'CREATE INDEX guard_actions_by_time ON guard_actions (at)',
  `CREATE TABLE guard_standing (
    cluster TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (cluster, kind, name)
  ) STRICT`,
  ...['guard_intents', 'guard_outcomes', 'guard_actions'].map(
    (table) => `CREATE TRIGGER ${table}_stay BEFORE UPDATE ON ${table}
    BEGIN SELECT RAISE(ABORT, 'rows of ${table} are never changed'); END`,
  ),
  `CREATE TRIGGER guard_intents_bar BEFORE DELETE ON guard_intents
    WHEN NOT EXISTS (
      SELECT 1 FROM guard_outcomes
      WHERE cluster = OLD.cluster AND key = OLD.key AND outcome IN ('confirmed', 'finished_first', 'vanished')
    )
    BEGIN SELECT RAISE(ABORT, 'this intent bars a query that may still run'); END`,
  // An outcome is deleted together with its intent: without it, the intent would look open.
  `CREATE TRIGGER guard_outcomes_belong BEFORE DELETE ON guard_outcomes
    WHEN EXISTS (SELECT 1 FROM guard_intents WHERE cluster = OLD.cluster AND key = OLD.key)
    BEGIN SELECT RAISE(ABORT, 'this outcome belongs to an intent'); END`,
  `CREATE TRIGGER guard_intents_go AFTER DELETE ON guard_intents
    BEGIN DELETE FROM guard_outcomes WHERE cluster = OLD.cluster AND key = OLD.key; END`,
  `CREATE VIEW guard_aborts AS
    SELECT
      intent.*,
      outcome.at AS ended_at,
      outcome.outcome AS outcome,
      outcome.${stored.skipReason} AS ${stored.skipReason},
      coalesce(outcome.outcome NOT IN ('confirmed', 'finished_first', 'vanished'), 1) AS bars
    FROM guard_intents AS intent
    LEFT JOIN guard_outcomes AS outcome ON outcome.cluster = intent.cluster AND outcome.key = intent.key`,
  auditView,
];
