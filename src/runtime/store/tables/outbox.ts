/** What delivery keeps: what is owed to each receiver, and for a time what became of what was sent. */
export const outboxTables: readonly string[] = [
  `CREATE TABLE lanes (
    receiver TEXT NOT NULL,
    key TEXT NOT NULL,
    owed TEXT NOT NULL,
    PRIMARY KEY (receiver, key)
  ) STRICT`,
  `CREATE TABLE notifications (
    id TEXT NOT NULL PRIMARY KEY,
    at INTEGER NOT NULL,
    receiver TEXT NOT NULL,
    key TEXT NOT NULL,
    episode INTEGER NOT NULL,
    action TEXT NOT NULL,
    result TEXT NOT NULL
  ) STRICT`,
  'CREATE INDEX notifications_by_time ON notifications (at)',
];
