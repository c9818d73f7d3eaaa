/** What the tracker keeps. Times are ms since the epoch, truths are 0 and 1. */
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
