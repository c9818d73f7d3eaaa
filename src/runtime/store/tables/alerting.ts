/** What alerting keeps: the episodes that fire, the highest number that one had, and the silences. Times are ms since the epoch. */
export const alertingTables: readonly string[] = [
  `CREATE TABLE episodes (
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
    told TEXT NOT NULL,
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
