/**
 * What the guard keeps: who aborted what and why, how that ended, what operators did, and what stands until somebody
 * changes it. Times are ms since the epoch; `evidence` and `notify` are JSON.
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
    doubt TEXT,
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
  // An outcome goes with its intent and not before: alone, the intent would look open.
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
      outcome.doubt AS doubt,
      coalesce(outcome.outcome NOT IN ('confirmed', 'finished_first', 'vanished'), 1) AS bars
    FROM guard_intents AS intent
    LEFT JOIN guard_outcomes AS outcome ON outcome.cluster = intent.cluster AND outcome.key = intent.key`,
  `CREATE VIEW guard_audit AS
    SELECT
      'abort' AS kind, cluster, at, key, node, id, start_time, graph, query, policy, policy_hash, manual_by,
      manual_reason, mode, evidence, notify, ended_at, outcome, doubt,
      NULL AS uid, NULL AS what, NULL AS actor, NULL AS subject, NULL AS reason
    FROM guard_aborts
    UNION ALL
    SELECT
      'action', cluster, at, uid, '', NULL, NULL, NULL, NULL, '', NULL, NULL,
      NULL, NULL, NULL, NULL, NULL, NULL, NULL,
      uid, what, actor, subject, reason
    FROM guard_actions`,
];
