import type { Millis } from '../kernel/time.ts';
import { meets } from './comparison.ts';
import type { GateClause, GateSource } from './policy.ts';

/** A reading of the pressure on a node. */
export interface Pressure {
  readonly node: string;
  readonly source: GateSource;
  /** In the unit of the source; undefined where the reading failed, or cannot be told to the node. */
  readonly value: number | undefined;
  /** When it arrived, on the monotonic clock. */
  readonly at: Millis;
  /** Time between two readings of this source at present. */
  readonly interval: Millis;
}

/** How long each clause has been met on each node. */
export type GateRuns = ReadonlyMap<string, GateRun>;

interface GateRun {
  /** Arrival of the first of the readings in a row that meet the bound. */
  readonly metSince: Millis;
  /** Arrival of the one that made them last long enough. */
  readonly heldSince: Millis | undefined;
  /** The latest counts until then. */
  readonly freshUntil: Millis;
}

// One reading may be late or fail; of a pressure that nobody has seen for longer nothing is known.
const freshIntervals = 2.5;

/** Adds a reading for the clauses of its source. One that is missing or does not meet the bound ends what has lasted. */
export function pressed(runs: GateRuns, pressure: Pressure, clauses: readonly GateClause[]): GateRuns {
  const next = new Map(runs);
  for (const clause of clauses.filter(({ source }) => source === pressure.source)) {
    const key = keyOf(pressure.node, clause);
    const run = runOf(runs.get(key), pressure, clause);
    if (run === undefined) next.delete(key);
    else next.set(key, run);
  }
  return next;
}

/** Since when a clause is true for a node: the arrival of the reading that made it so; undefined where it is not. */
export function gateSince(
  runs: GateRuns,
  { node, clause, now }: { readonly node: string; readonly clause: GateClause; readonly now: Millis },
): Millis | undefined {
  const run = runs.get(keyOf(node, clause));
  return run !== undefined && now <= run.freshUntil ? run.heldSince : undefined;
}

function runOf(
  before: GateRun | undefined,
  { value, at, interval }: Pressure,
  { bound, hold }: GateClause,
): GateRun | undefined {
  if (value === undefined || !meets(bound, value)) return undefined;
  const known = before !== undefined && at <= before.freshUntil ? before : undefined;
  const metSince = known?.metSince ?? at;
  const heldSince = known?.heldSince ?? (at - metSince >= hold ? at : undefined);
  return { metSince, heldSince, freshUntil: at + interval * freshIntervals };
}

function keyOf(node: string, { source, bound, hold }: GateClause): string {
  return [node, source, bound.operator, bound.value, hold].join('\0');
}
