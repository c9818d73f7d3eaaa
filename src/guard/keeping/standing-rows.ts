import { z } from 'zod';
import type { Change, Row } from '../../kernel/store.ts';
import type { BreakerView } from '../../model/guard.ts';
import { policyBreaker } from '../decision/breakers.ts';
import type { GuardOutput } from '../decision/output.ts';
import type { ClockOffset } from '../offset.ts';
import { json, tables, time, words } from './columns.ts';

/** Why the guard holds still, by whom and since when (ms since the epoch). */
export interface KeptPause {
  readonly reason: string;
  readonly by: string;
  readonly at: number;
}

/** What is worth keeping of how a node's clock stands. */
export type KeptClock = Partial<Pick<ClockOffset, 'offset' | 'anchor'>>;

const standingRow = z.object({ cluster: z.string(), kind: z.string(), name: z.string(), value: z.string(), at: time });
const pauseRow = standingRow.extend({ name: words(64).min(1), value: words(256) });
const breakerRow = standingRow.extend({ name: words(1000).min(1), at: time.catch(0) });
const reliefRow = standingRow.extend({ value: json(z.int().min(0)) });
const offset = z.number().min(-8.64e15).max(8.64e15);
const clockRow = standingRow.extend({
  value: json(z.object({ offset: offset.optional(), anchor: offset.optional() })),
});

/** Keeps that the guard holds still for this reason. */
export function pauseChange({ reason, by, at }: KeptPause): Change {
  return put({ cluster: '', kind: 'pause', name: reason, value: by, at });
}

/** Drops one reason to hold still, or all of them, those included that cannot be read. */
export function resumeChange(reason?: string): Change {
  const name = reason === undefined ? {} : { name: reason };
  return { table: tables.standing, drop: { cluster: '', kind: 'pause', ...name } };
}

/** Keeps what a step says of breakers and of relief. */
export function standingChanges(cluster: string, output: GuardOutput, at: number): readonly Change[] {
  if (output.kind === 'relief') {
    return [put({ cluster, kind: 'relief', name: output.policy, value: JSON.stringify(output.aborts), at })];
  }
  if (output.kind !== 'breaker') return [];
  const { breaker, isOpen } = output;
  if (isOpen) return [put({ cluster, kind: 'breaker', name: breaker, value: '', at })];
  // Counting begins anew with it.
  const { policy, reason } = breakerView(breaker, at);
  const drop = (kind: string, name: string): Change => ({ table: tables.standing, drop: { cluster, kind, name } });
  return [drop('breaker', breaker), ...(reason === 'no_relief' ? [drop('relief', policy)] : [])];
}

/** Keeps how a node's clock stands to ours. */
export function clockChange(
  { cluster, node }: { readonly cluster: string; readonly node: string },
  { offset: known, anchor }: KeptClock,
  at: number,
): Change {
  return put({ cluster, kind: 'clock', name: node, value: JSON.stringify({ offset: known, anchor }), at });
}

/** A pause as it was stored. One that cannot be read still is one: whoever paused did not mean it to go on. */
export function pauseOf(row: Row): KeptPause {
  const read = pauseRow.safeParse(row);
  if (!read.success) return { reason: 'state_lost', by: '', at: 0 };
  const { name: reason, value: by, at } = read.data;
  return { reason, by, at };
}

/** An open breaker as it was stored; undefined for a row that is none. */
export function breakerOf(row: Row): BreakerView | undefined {
  const read = breakerRow.safeParse(row);
  return read.success ? breakerView(read.data.name, read.data.at) : undefined;
}

/** How many aborts of a policy in a row brought no relief; undefined for a row that does not say. */
export function reliefOf(row: Row): readonly [policy: string, aborts: number] | undefined {
  const read = reliefRow.safeParse(row);
  return read.success ? [read.data.name, read.data.value] : undefined;
}

/** How the clock of a node stood; undefined for a row that does not say. */
export function clockOf(row: Row): readonly [node: string, clock: KeptClock] | undefined {
  const read = clockRow.safeParse(row);
  if (!read.success) return undefined;
  const { offset: known, anchor } = read.data.value;
  return [read.data.name, { ...(known !== undefined && { offset: known }), ...(anchor !== undefined && { anchor }) }];
}

/** What the key of a breaker says of it. */
export function breakerView(key: string, since: number): BreakerView {
  const [kind, first = '', ...rest] = key.split(' ');
  if (kind === 'same_query') {
    return { key, reason: 'same_query', graph: first, query: rest.join(' '), policy: '', since };
  }
  const policy = key.startsWith(policyBreaker('')) ? key.slice(policyBreaker('').length) : '';
  return { key, reason: 'no_relief', graph: '', query: '', policy, since };
}

function put(row: Row): Change {
  return { table: tables.standing, put: row };
}
