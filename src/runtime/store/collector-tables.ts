/**
 * Tables of collectors: samples of rules about the last hour as JSON, and what a collector keeps: what it
 * compares the next list with, or when it may run again. Times are ms since the epoch.
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
