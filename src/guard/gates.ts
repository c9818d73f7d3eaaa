import type { Millis } from '../kernel/time.ts';
import { meets } from './comparison.ts';
import type { GateClause, GateSource } from './policy.ts';

/** Value of a pressure source of a node. */
export interface Pressure {
  readonly node: string;
  readonly source: GateSource;
  /** In the unit of the source; undefined if the poll failed, or if the value cannot be assigned to the node. */
  readonly value: number | undefined;
  /** When it arrived, on the monotonic clock. */
  readonly at: Millis;
  /** When the server collected it, on the monotonic clock. */
  readonly collectedAt: Millis;
  /** Refresh period of this source: the server has a new value after this time. */
  readonly interval: Millis;
}

/** How long each clause has been met on each node. */
export type GateStates = ReadonlyMap<string, GateState>;

interface GateState {
  /** Collection of the first of the consecutive values that meet the bound, and of the last. */
  readonly metSince: Millis;
  readonly collectedAt: Millis;
  /** Arrival of the value that completed the required duration. */
  readonly heldSince: Millis | undefined;
  /** Time until which the latest value counts. */
  readonly freshUntil: Millis;
}

// One value may be late or missing; after that the pressure is unknown.
const freshIntervals = 2.5;

/**
 * Applies a value to the clauses of its source. A missing value, or one that does not meet the bound, resets a clause. Only
 * values that the server collected count: to poll one of them again adds nothing.
 */
export function updateGates(runs: GateStates, pressure: Pressure, clauses: readonly GateClause[]): GateStates {
  const next = new Map(runs);
  for (const clause of clauses.filter(({ source }) => source === pressure.source)) {
    const key = gateKey(pressure.node, clause);
    const run = nextGateState(runs.get(key), pressure, clause);
    if (run === undefined) next.delete(key);
    else next.set(key, run);
  }
  return next;
}

/**
 * Returns since when a clause is true for a node: the arrival of the value that made it true; undefined if it is
 * false.
 */
export function gateSince(
  runs: GateStates,
  { node, clause, now }: { readonly node: string; readonly clause: GateClause; readonly now: Millis },
): Millis | undefined {
  const run = runs.get(gateKey(node, clause));
  return run !== undefined && now <= run.freshUntil ? run.heldSince : undefined;
}

/** Returns when a clause that is true for a node becomes false without a new value; undefined if it is false. */
export function gateExpiry(
  runs: GateStates,
  { node, clause, now }: { readonly node: string; readonly clause: GateClause; readonly now: Millis },
): Millis | undefined {
  const run = runs.get(gateKey(node, clause));
  return run?.heldSince !== undefined && now <= run.freshUntil ? Math.floor(run.freshUntil) + 1 : undefined;
}

function nextGateState(
  before: GateState | undefined,
  { value, at, collectedAt, interval }: Pressure,
  { bound, for: hold }: GateClause,
): GateState | undefined {
  if (value === undefined || !meets(bound, value)) return undefined;
  if (before !== undefined && collectedAt <= before.collectedAt) return before;
  const known = before !== undefined && collectedAt <= before.freshUntil ? before : undefined;
  const metSince = known?.metSince ?? collectedAt;
  const heldSince = known?.heldSince ?? (collectedAt - metSince >= hold ? at : undefined);
  return { metSince, collectedAt, heldSince, freshUntil: collectedAt + interval * freshIntervals };
}

function gateKey(node: string, { source, bound, for: hold }: GateClause): string {
  return [node, source, bound.operator, bound.value, hold].join('\0');
}
