import { DatabaseSync } from 'node:sqlite';
import type { Row, StoreQuery, Summary } from '../../kernel/store.ts';
import type { Millis } from '../../kernel/time.ts';
import type { Work } from '../worker-roles.ts';
import { Database } from './database.ts';
import { isDiskError, messageOf } from './sqlite-errors.ts';
import { stateFilePath } from './state-file.ts';

/** Read of history. */
export interface HistoryRead {
  readonly kind: 'find' | 'count' | 'summarize';
  readonly query: StoreQuery;
  /** Name of the summary. */
  readonly summary?: string;
  /** Input of the summary. */
  readonly input?: unknown;
}

/** Request to the thread of history. The read ends after `timeout`. */
export interface HistoryRequest extends HistoryRead {
  readonly folder: string;
  readonly timeout: Millis;
}

/** Reply of the history thread. `unavailable` if the file cannot be read; the store's own thread handles the cause. */
export type HistoryReply =
  | { readonly kind: 'rows'; readonly rows: readonly Row[] }
  | { readonly kind: 'count'; readonly count: number }
  | { readonly kind: 'failed' | 'unavailable'; readonly message: string };

/** Maximum number of rows that one read returns. */
export const maxHistoryRows = 10_000;

/** Message of a read that took too long. */
export const historyTimeoutMessage = 'reading the history took too long';

/** Number of rows between two checks of the timeout. */
const rowsPerCheck = 1000;

/** How long to wait for a lock of another process. */
const busyTimeout: Millis = 1000;

/**
 * Work of the history thread. Each read opens its own connection: the write-ahead log allows reads while the store's thread
 * commits, and a file that was moved or replaced is found again.
 */
export function historyWork(summaries: readonly Summary[]): Work {
  return async (request) => {
    if (!isRequest(request)) throw new TypeError('the thread of the history received an unexpected request');
    try {
      return readFrom(request, summaries);
    } catch (error) {
      return { kind: isDiskError(error) ? 'unavailable' : 'failed', message: messageOf(error) };
    }
  };
}

function readFrom(request: HistoryRequest, summaries: readonly Summary[]): HistoryReply {
  const database = new Database(
    new DatabaseSync(stateFilePath(request.folder), { readOnly: true, timeout: busyTimeout }),
  );
  try {
    if (request.kind === 'count') return { kind: 'count', count: database.count(request.query) };
    return { kind: 'rows', rows: rowsFor(database, request, summaries) };
  } finally {
    database.close();
  }
}

function rowsFor(
  database: Database,
  { kind, query, timeout, summary: wanted, input }: HistoryRequest,
  summaries: readonly Summary[],
): readonly Row[] {
  const until = performance.now() + timeout;
  if (kind === 'find') {
    const limit = Math.min(query.limit ?? maxHistoryRows, maxHistoryRows);
    return [...rowsBefore(until, database.iterate({ ...query, limit }))];
  }
  const summary = summaries.find(({ name }) => name === wanted);
  if (summary === undefined) throw new TypeError(`unknown summary '${wanted}'`);
  return summary.compute(rowsBefore(until, database.iterate(query)), input);
}

function* rowsBefore(until: Millis, rows: Iterable<Row>): Generator<Row> {
  let count = 0;
  for (const row of rows) {
    if (count % rowsPerCheck === 0 && performance.now() > until) throw new Error(historyTimeoutMessage);
    count += 1;
    yield row;
  }
}

/** Checks only the kind, because the sender is this program. */
function isRequest(value: unknown): value is HistoryRequest {
  return typeof value === 'object' && value !== null && 'kind' in value && 'folder' in value;
}
