import { z } from 'zod';
import { ok, type Result } from '../../kernel/result.ts';
import type { Row, Store, StoreChange } from '../../kernel/store.ts';
import type { BreakerView } from '../../model/guard.ts';
import type { ClockOffset } from '../clock-offset.ts';
import { credentialBreakerKey, policyBreakerKey } from '../decision/circuit-breakers.ts';
import type { StoredGuardState } from '../decision/input.ts';
import type { GuardOutput } from '../decision/output.ts';
import { parseAbort, parseExclusion } from './abort-rows.ts';
import { jsonColumn, shortText, tables, timestamp } from './columns.ts';

/** Stored pause of the guard: cluster (`''` for all clusters), reason, author and start (ms since the epoch). */
export interface StoredPause {
  readonly cluster: string;
  readonly reason: string;
  readonly by: string;
  readonly at: number;
}

/** Stored part of the clock offset of a node. */
export type StoredClockOffset = Partial<Pick<ClockOffset, 'offset' | 'anchor'>>;

const stateRow = z.object({
  cluster: z.string(),
  kind: z.string(),
  name: z.string(),
  value: z.string(),
  at: timestamp,
});
const pauseRow = stateRow.extend({ name: shortText(64).min(1), value: shortText(256) });
const breakerRow = stateRow.extend({ name: shortText(1000).min(1), at: timestamp.catch(0) });
const reliefRow = stateRow.extend({ value: jsonColumn(z.int().min(0)) });
const offset = z.number().min(-8.64e15).max(8.64e15);
const clockRow = stateRow.extend({
  value: jsonColumn(z.object({ offset: offset.optional(), anchor: offset.optional() })),
});

/** Stores a pause of the guard. */
export function pauseChange({ cluster, reason, by, at }: StoredPause): StoreChange {
  return putState({ cluster, kind: 'pause', name: reason, value: by, at });
}

/** Deletes the pauses of all clusters, including invalid rows. */
export function resumeChange(): StoreChange {
  return { table: tables.standing, drop: { kind: 'pause' } };
}

/** Deletes one pause. */
export function pauseDeletion({ cluster, reason }: Pick<StoredPause, 'cluster' | 'reason'>): StoreChange {
  return { table: tables.standing, drop: { cluster, kind: 'pause', name: reason } };
}

/** Stores changes of circuit breakers and of the number of aborts without relief. */
export function stateChanges(cluster: string, output: GuardOutput, at: number): readonly StoreChange[] {
  if (output.kind === 'relief') {
    return [putState({ cluster, kind: 'relief', name: output.policy, value: JSON.stringify(output.aborts), at })];
  }
  if (output.kind !== 'breaker') return [];
  const { breaker, isOpen } = output;
  if (isOpen) return [putState({ cluster, kind: 'breaker', name: breaker, value: '', at })];
  // The count of the breaker restarts after a reset.
  const { policy, reason } = toBreakerView(breaker, at);
  const drop = (kind: string, name: string): StoreChange => ({ table: tables.standing, drop: { cluster, kind, name } });
  return [
    drop('breaker', breaker),
    putState({ cluster, kind: 'breaker_reset', name: breaker, value: '', at }),
    ...(reason === 'no_relief' ? [drop('relief', policy)] : []),
  ];
}

/** Stores the clock offset of a node. */
export function clockOffsetChange(
  { cluster, node }: { readonly cluster: string; readonly node: string },
  { offset: known, anchor }: StoredClockOffset,
  at: number,
): StoreChange {
  return putState({ cluster, kind: 'clock', name: node, value: JSON.stringify({ offset: known, anchor }), at });
}

/** Parses a stored pause. An invalid row pauses the guard of all clusters, because no operator resumed it. */
export function parsePause(row: Row): StoredPause {
  const read = pauseRow.safeParse(row);
  if (!read.success) return { cluster: '', reason: 'state_lost', by: '', at: 0 };
  const { cluster, name: reason, value: by, at } = read.data;
  return { cluster, reason, by, at };
}

/** Parses an open circuit breaker; undefined for an invalid row. */
export function parseBreaker(row: Row): BreakerView | undefined {
  const read = breakerRow.safeParse(row);
  return read.success ? toBreakerView(read.data.name, read.data.at) : undefined;
}

/** Parses the last reset of a circuit breaker, in ms since the epoch; undefined for an invalid row. */
export function parseBreakerReset(row: Row): readonly [key: string, at: number] | undefined {
  const read = breakerRow.safeParse(row);
  return read.success ? [read.data.name, read.data.at] : undefined;
}

/** Parses the number of consecutive aborts of a policy without relief; undefined for an invalid row. */
export function parseRelief(row: Row): readonly [policy: string, aborts: number] | undefined {
  const read = reliefRow.safeParse(row);
  return read.success ? [read.data.name, read.data.value] : undefined;
}

/** Parses the clock offset of a node; undefined for an invalid row. */
export function parseClockOffset(row: Row): readonly [node: string, clock: StoredClockOffset] | undefined {
  const read = clockRow.safeParse(row);
  if (!read.success) return undefined;
  const { offset: known, anchor } = read.data.value;
  return [read.data.name, { ...(known !== undefined && { offset: known }), ...(anchor !== undefined && { anchor }) }];
}

/** Returns the view of a circuit breaker from its key. */
export function toBreakerView(key: string, since: number): BreakerView {
  if (key === credentialBreakerKey) return { key, reason: 'credential', graph: '', query: '', policy: '', since };
  const [kind, first = '', ...rest] = key.split(' ');
  if (kind === 'same_query') {
    return { key, reason: 'same_query', graph: first, query: rest.join(' '), policy: '', since };
  }
  const policy = key.startsWith(policyBreakerKey('')) ? key.slice(policyBreakerKey('').length) : '';
  return { key, reason: 'no_relief', graph: '', query: '', policy, since };
}

function putState(row: Row): StoreChange {
  return { table: tables.standing, put: row };
}

/** Stored guard state with the problems of invalid rows. */
export interface LoadedGuardState extends StoredGuardState {
  /** Open circuit breakers with the times of their opening. */
  readonly breakerViews: readonly BreakerView[];
  /** Invalid rows, as sentences for the log. */
  readonly problems: readonly string[];
}

/** Maximum number of loaded aborts of ended queries. Budgets, cooldowns and circuit breakers count a tenth at most. */
const maxFinishedAborts = 10_000;

/**
 * Loads the stored guard state of a cluster: all intents whose query may still run, and the newest of the others. An
 * invalid row still excludes its query, as long as it names one. After an error the guard must not decide anything,
 * because its state is unknown; the error is a sentence.
 */
export async function loadGuardState(store: Store, cluster: string): Promise<Result<LoadedGuardState, string>> {
  const table = tables.aborts;
  const own = { column: 'cluster', is: '=', value: cluster } as const;
  const [excluding, gone, state, pauses] = await Promise.all([
    store.find({ table, where: [own, { column: 'bars', is: '=', value: 1 }], order: ['at'] }),
    store.find({
      table,
      where: [own, { column: 'bars', is: '=', value: 0 }],
      order: ['-at'],
      limit: maxFinishedAborts,
    }),
    store.find({ table: tables.standing, where: [own] }),
    loadPauses(store),
  ]);
  if (!excluding.ok) return excluding;
  if (!gone.ok) return gone;
  if (!state.ok) return state;
  if (!pauses.ok) return pauses;
  const rows = [...excluding.value, ...gone.value];
  const known = parseStateRows(state.value);
  return ok({
    ...known,
    breakers: known.breakerViews.map(({ key }) => key),
    intents: rows.map(parseExclusion).filter((one) => one !== undefined),
    isPaused: pauses.value.some((pause) => pause.cluster === '' || pause.cluster === cluster),
    problems: [...rows.flatMap(rowErrors), ...known.problems],
  });
}

/** Loads the stored pauses of all clusters. */
export async function loadPauses(store: Store): Promise<Result<readonly StoredPause[], string>> {
  const where = [{ column: 'kind', is: '=', value: 'pause' }] as const;
  const rows = await store.find({ table: tables.standing, where, order: ['at', 'cluster', 'name'] });
  return rows.ok ? ok(rows.value.map(parsePause)) : rows;
}

function parseStateRows(rows: readonly Row[]) {
  const of = (kind: string): readonly Row[] => rows.filter((row) => row.kind === kind);
  const read = {
    breaker: parseBreaker,
    breaker_reset: parseBreakerReset,
    relief: parseRelief,
    clock: parseClockOffset,
  };
  const unread = Object.entries(read).flatMap(([kind, reader]) => of(kind).filter((row) => reader(row) === undefined));
  return {
    breakerViews: of('breaker')
      .map(parseBreaker)
      .filter((one) => one !== undefined),
    breakerResets: Object.fromEntries(
      of('breaker_reset')
        .map(parseBreakerReset)
        .filter((one) => one !== undefined),
    ),
    abortsWithoutRelief: Object.fromEntries(
      of('relief')
        .map(parseRelief)
        .filter((one) => one !== undefined),
    ),
    offsets: Object.fromEntries(
      of('clock')
        .map(parseClockOffset)
        .filter((one) => one !== undefined),
    ),
    problems: unread.map(({ kind, name }) => `the stored ${String(kind)} of '${String(name)}' cannot be read`),
  };
}

function rowErrors(row: Row): readonly string[] {
  if (parseAbort(row) !== undefined) return [];
  const exclusion = parseExclusion(row);
  if (exclusion === undefined) return ['an intent cannot be read; the query that it excludes from aborts is unknown'];
  return [
    `the intent on '${exclusion.id}' of node '${exclusion.node}' cannot be read; the query stays excluded from aborts`,
  ];
}
