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

// Refresh periods for which a value counts: one value may be late or missing.
const freshIntervals = 2.5;

/**
 * Applies a value to the clauses of its source. A missing value, or one that does not meet the bound, resets a clause.
 * A value that is polled again before the server collected a new one adds nothing.
 */
export function updateGates(states: GateStates, pressure: Pressure, clauses: readonly GateClause[]): GateStates {
  const next = new Map(states);
  for (const clause of clauses.filter(({ source }) => source === pressure.source)) {
    const key = gateKey(pressure.node, clause);
    const state = nextGateState(states.get(key), pressure, clause);
    if (state === undefined) next.delete(key);
    else next.set(key, state);
  }
  return next;
}

/** Returns whether a pressure has a value that is recent enough to count. */
export function isCurrent(pressure: Pressure | undefined, now: Millis): boolean {
  return pressure?.value !== undefined && now <= freshUntil(pressure);
}

/**
 * Returns since when a clause is true for a node: the arrival of the value that made it true; undefined if it is
 * false.
 */
export function gateSince(
  states: GateStates,
  { node, clause, now }: { readonly node: string; readonly clause: GateClause; readonly now: Millis },
): Millis | undefined {
  const state = states.get(gateKey(node, clause));
  return state !== undefined && now <= state.freshUntil ? state.heldSince : undefined;
}

/** Returns when a clause that is true for a node becomes false without a new value; undefined if it is false. */
export function gateExpiry(
  states: GateStates,
  { node, clause, now }: { readonly node: string; readonly clause: GateClause; readonly now: Millis },
): Millis | undefined {
  const state = states.get(gateKey(node, clause));
  return state?.heldSince !== undefined && now <= state.freshUntil ? Math.floor(state.freshUntil) + 1 : undefined;
}

function nextGateState(
  before: GateState | undefined,
  pressure: Pressure,
  { bound, for: hold }: GateClause,
): GateState | undefined {
  const { value, at, collectedAt } = pressure;
  if (value === undefined || !meets(bound, value)) return undefined;
  if (before !== undefined && collectedAt <= before.collectedAt) return before;
  const known = before !== undefined && collectedAt <= before.freshUntil ? before : undefined;
  const metSince = known?.metSince ?? collectedAt;
  const heldSince = known?.heldSince ?? (collectedAt - metSince >= hold ? at : undefined);
  return { metSince, collectedAt, heldSince, freshUntil: freshUntil(pressure) };
}

/** Returns the time until which a value counts, on the monotonic clock. */
function freshUntil({ collectedAt, interval }: Pressure): Millis {
  return collectedAt + interval * freshIntervals;
}

function gateKey(node: string, { source, bound, for: hold }: GateClause): string {
  return [node, source, bound.operator, bound.value, hold].join('\0');
}
