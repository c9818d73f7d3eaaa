import { alertingTables } from './tables/alerting.ts';
import { guardTables } from './tables/guard.ts';
import { outboxTables } from './tables/outbox.ts';
import { trackerTables } from './tables/tracker.ts';

/**
 * What was done to the database, version by version: the first entry leads from an empty database to version 1. What
 * was released is never edited again; a change of it is one more entry.
 */
export const migrations: readonly (readonly string[])[] = [
  [...trackerTables, ...alertingTables, ...outboxTables, ...guardTables],
];
