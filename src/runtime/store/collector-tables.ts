/**
 * Tables of collectors: samples for rules about the last hour as JSON, and texts that a collector keeps, such as the list that
 * it compares the next one with, or the time when it may run again. Times are ms since the epoch.
 */
export const collectorTables: readonly string[] = [
  `CREATE TABLE trend_samples (
    cluster TEXT NOT NULL,
    at INTEGER NOT NULL,
    samples TEXT NOT NULL,
    PRIMARY KEY (cluster, at)
  ) STRICT`,
  `CREATE TABLE collector_memory (
    cluster TEXT NOT NULL,
    collector TEXT NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (cluster, collector)
  ) STRICT`,
];
