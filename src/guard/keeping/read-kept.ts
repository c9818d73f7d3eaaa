import { ok, type Result } from '../../kernel/result.ts';
import type { Row, Store } from '../../kernel/store.ts';
import type { BreakerView } from '../../model/guard.ts';
import type { Kept } from '../decision/kept.ts';
import { abortOf, barOf } from './abort-rows.ts';
import { tables } from './columns.ts';
import { breakerOf, clockOf, type KeptPause, pauseOf, reliefOf } from './standing-rows.ts';

/** What was kept, and what of it could not be read. */
export interface KeptRead extends Kept {
  /** Those that are open, and since when. */
  readonly breakerViews: readonly BreakerView[];
  /** Rows that are not as they were stored, as sentences for the log. */
  readonly troubles: readonly string[];
}

/** Of queries that are gone; budgets, rests and breakers count a tenth of it at most. */
const mostGone = 10_000;

/**
 * What of the guard of a cluster outlived the program: every intent whose query may still run, however old, and of the
 * others the newest, which is more than anything counts. A row that is not as it was stored bars all the same, as long
 * as it says what it is about. The error is a sentence: then nothing is known, and nothing may be decided.
 */
export async function readKept(store: Store, cluster: string): Promise<Result<KeptRead, string>> {
  const table = tables.aborts;
  const own = { column: 'cluster', is: '=', value: cluster } as const;
  const [barring, gone, standing, pauses] = await Promise.all([
    store.find({ table, where: [own, { column: 'bars', is: '=', value: 1 }], order: ['at'] }),
    store.find({ table, where: [own, { column: 'bars', is: '=', value: 0 }], order: ['-at'], limit: mostGone }),
    store.find({ table: tables.standing, where: [own] }),
    readPause(store),
  ]);
  if (!barring.ok) return barring;
  if (!gone.ok) return gone;
  if (!standing.ok) return standing;
  if (!pauses.ok) return pauses;
  const rows = [...barring.value, ...gone.value];
  const known = standingOf(standing.value);
  return ok({
    ...known,
    breakers: known.breakerViews.map(({ key }) => key),
    intents: rows.map(barOf).filter((one) => one !== undefined),
    isPaused: pauses.value.length > 0,
    troubles: [...rows.flatMap(troubleOf), ...known.troubles],
  });
}

/** Why the guard is to hold still, since before this start; one of them is enough. */
export async function readPause(store: Store): Promise<Result<readonly KeptPause[], string>> {
  const where = [
    { column: 'cluster', is: '=', value: '' },
    { column: 'kind', is: '=', value: 'pause' },
  ] as const;
  const rows = await store.find({ table: tables.standing, where, order: ['at', 'name'] });
  return rows.ok ? ok(rows.value.map(pauseOf)) : rows;
}

function standingOf(rows: readonly Row[]) {
  const of = (kind: string): readonly Row[] => rows.filter((row) => row.kind === kind);
  const read = { breaker: breakerOf, relief: reliefOf, clock: clockOf };
  const unread = Object.entries(read).flatMap(([kind, reader]) => of(kind).filter((row) => reader(row) === undefined));
  return {
    breakerViews: of('breaker')
      .map(breakerOf)
      .filter((one) => one !== undefined),
    reliefless: Object.fromEntries(
      of('relief')
        .map(reliefOf)
        .filter((one) => one !== undefined),
    ),
    offsets: Object.fromEntries(
      of('clock')
        .map(clockOf)
        .filter((one) => one !== undefined),
    ),
    troubles: unread.map(({ kind, name }) => `what was kept as ${String(kind)} of '${String(name)}' cannot be read`),
  };
}

function troubleOf(row: Row): readonly string[] {
  if (abortOf(row) !== undefined) return [];
  const bar = barOf(row);
  if (bar === undefined) return ['an intent cannot be read, and does not say what it bars'];
  return [`the intent on '${bar.id}' of node '${bar.node}' cannot be read; it bars that query all the same`];
}
