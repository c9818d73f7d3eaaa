/** What alerting keeps: the episodes and the silences. */
export const alertingTables: readonly string[] = [
  `CREATE TABLE episodes (
    key TEXT NOT NULL PRIMARY KEY,
    episode INTEGER NOT NULL,
    cluster TEXT NOT NULL,
    rule TEXT NOT NULL,
    phase TEXT NOT NULL,
    alert TEXT NOT NULL
  ) STRICT`,
  `CREATE TABLE silences (
    id TEXT NOT NULL PRIMARY KEY,
    silence TEXT NOT NULL
  ) STRICT`,
];
