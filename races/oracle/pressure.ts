import type { Gate, GateClause } from '../../src/guard/policy.ts';
import type { Millis } from '../../src/kernel/time.ts';
import { isMore } from './clauses.ts';
import { lifeFrom, type Trial } from './trial.ts';

/** A reading counts for so many intervals of its source. */
const freshness = 2.5;

interface Place {
  readonly node: string;
  readonly at: Millis;
}

/** Since when a gate has been open on a node without a break, at an instant; undefined where it is not. */
export function openSince(trial: Trial, gate: Gate, { node, at }: Place): Millis | undefined {
  let since: Millis | undefined;
  // Where any clause will do, one of them may hold the gate open that another one opened.
  for (let next = openedBy(trial, gate, { node, at }); next !== undefined; ) {
    since = next;
    next = openedBy(trial, gate, { node, at: since - 1 });
  }
  return since;
}

function openedBy(trial: Trial, gate: Gate, place: Place): Millis | undefined {
  const all = gate.clauses.map((clause) => heldSince(trial, clause, place));
  const held = all.filter((since) => since !== undefined);
  if (held.length === 0 || (gate.needs === 'all' && held.length < all.length)) return undefined;
  return gate.needs === 'all' ? Math.max(...held) : Math.min(...held);
}

/** Goes back from the latest reading for as long as they meet the bound without a gap. */
function heldSince(
  trial: Trial,
  clause: GateClause,
  { node, at }: { readonly node: string; readonly at: Millis },
): Millis | undefined {
  const from = lifeFrom(trial, at);
  const readings = trial.log.readings.filter(
    (one) => one.node === node && one.source === clause.source && one.at >= from && one.at <= at,
  );
  const last = readings.at(-1);
  if (last === undefined || at > last.at + freshness * last.interval) return undefined;
  let next = last.at;
  const row: Millis[] = [];
  for (const { value, at: when, interval } of readings.toReversed()) {
    if (value === undefined || !isMore(clause.bound, value) || next > when + freshness * interval) break;
    row.unshift(when);
    next = when;
  }
  const [first] = row;
  return first === undefined ? undefined : row.find((when) => when - first >= clause.hold);
}
