import type { Retention } from '../../kernel/store.ts';
import type { Clock, Millis } from '../../kernel/time.ts';
import type { PostgresConnection } from './connection.ts';
import { blocksSecondAbort } from './schema.ts';

/** Time between two deletions of rows that are too old. */
const trimInterval: Millis = 600_000;

/** Number of rows per deletion, because commits wait for it. */
const trimBatchSize = 2000;

/** Number of the lock with which one replica at a time deletes. */
const trimLock = 916_002;

interface HistoryTable {
  readonly name: string;
  readonly keep: keyof Omit<Retention, 'size'>;
  /** Condition of rows that retention never deletes. */
  readonly keepCondition?: string;
}

const hasIntent = `EXISTS (
  SELECT 1 FROM guard_intents AS intent
  WHERE intent.cluster = guard_outcomes.cluster AND intent.key = guard_outcomes.key
)`;

const tables: readonly HistoryTable[] = [
  { name: 'transitions', keep: 'transitions' },
  { name: 'guard_intents', keep: 'audit', keepCondition: blocksSecondAbort },
  { name: 'guard_outcomes', keep: 'audit', keepCondition: hasIntent },
  { name: 'guard_actions', keep: 'audit' },
  { name: 'notifications', keep: 'notifications' },
];

/**
 * Deletes history that is too old, a few rows at a time. The size of the database has no limit here: deleted rows free no space
 * before PostgreSQL's vacuum, and the operators of PostgreSQL monitor its disk.
 */
export class Trimmer {
  readonly #connection: PostgresConnection;
  readonly #retention: Retention;
  readonly #clock: Clock;
  #trimmedAt = Number.NEGATIVE_INFINITY;

  constructor(connection: PostgresConnection, retention: Retention, clock: Clock) {
    this.#connection = connection;
    this.#retention = retention;
    this.#clock = clock;
  }

  /** Deletes one batch of each table, if the last deletion was long ago or left rows. */
  async trimWhenDue(): Promise<void> {
    const { mono, wall } = this.#clock.now();
    if (mono - this.#trimmedAt < trimInterval) return;
    this.#trimmedAt = mono;
    const hasMore = await this.#trim(wall).catch(() => false);
    if (hasMore) this.#trimmedAt = Number.NEGATIVE_INFINITY;
  }

  #trim(now: number): Promise<boolean> {
    return this.#connection.transaction(async (run) => {
      const { rows } = await run(`SELECT pg_try_advisory_xact_lock(${trimLock}) AS locked`);
      if (rows[0]?.locked !== true) return false;
      let hasMore = false;
      for (const table of tables) {
        const { changed } = await run(deletion(table), [Math.floor(now - this.#retention[table.keep])]);
        hasMore ||= changed >= trimBatchSize;
      }
      return hasMore;
    });
  }
}

function deletion({ name, keepCondition = 'FALSE' }: HistoryTable): string {
  return `DELETE FROM ${name} WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM ${name} WHERE at < $1::bigint AND NOT (${keepCondition}) ORDER BY at LIMIT ${trimBatchSize}
  ))`;
}
