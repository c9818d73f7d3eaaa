import { parseDuration } from '../kernel/duration.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import type { Condition } from '../kernel/store.ts';
import type { Transition } from '../model/transition.ts';

/** A transition as the API and the terminal tell of it. */
export interface TransitionReport {
  readonly at: string;
  readonly cluster: string;
  readonly service: string;
  readonly partition: string;
  readonly replica: string;
  /** The server's word, `unobserved` or `absent`; `''` where the replica was new. */
  readonly from: string;
  /** `''` where it was forgotten. */
  readonly to: string;
  /** How long the former status lasted; null where that is not known. */
  readonly lastedSeconds: number | null;
  readonly process: string;
  readonly source: string;
  readonly eventId: string;
  /** The server's own time of the event, nanoseconds since the epoch. */
  readonly eventNs: string;
}

/** Query parameters that are compared with a column of the stored timeline. */
export const timelineColumns: Readonly<Record<string, string>> = {
  cluster: 'cluster',
  service: 'service',
  partition: 'partition',
  replica: 'replica',
  from: 'from_status',
  to: 'to_status',
};

/** Tells of a transition. */
export function reportTransition(transition: Transition): TransitionReport {
  const { at, cluster, service, partition, replica, from, to, lasted, process, source, eventId, eventNs } = transition;
  const told = { process, source, eventId, eventNs };
  const lastedSeconds = lasted === undefined ? null : lasted / 1000;
  return { at: new Date(at).toISOString(), cluster, service, partition, replica, from, to, lastedSeconds, ...told };
}

/** What the stored timeline is asked for by a query; the error is a sentence. `limit` and `offset` are not its business. */
export function timelineConditions(query: URLSearchParams, now: number): Result<readonly Condition[], string> {
  const conditions: Condition[] = [];
  for (const [name, value] of query) {
    if (name === 'limit' || name === 'offset') continue;
    const condition = conditionOf(name, value, now);
    if (!condition.ok) return condition;
    conditions.push(condition.value);
  }
  return ok(conditions);
}

/** A moment as people give it: RFC 3339, or how long ago; the error is a sentence. */
export function momentOf(name: string, text: string, now: number): Result<number, string> {
  const ago = parseDuration(text);
  if (ago.ok) return ok(now - ago.value);
  const isDate = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/i.test(text);
  const moment = isDate ? Date.parse(text) : Number.NaN;
  return Number.isNaN(moment)
    ? err(`${name} must be a length of time such as 24h, or a moment such as 2026-01-31T12:00:00Z.`)
    : ok(moment);
}

function conditionOf(name: string, value: string, now: number): Result<Condition, string> {
  if (name === 'since' || name === 'until') {
    const moment = momentOf(name, value, now);
    return moment.ok ? ok({ column: 'at', is: name === 'since' ? '>=' : '<', value: moment.value }) : moment;
  }
  const column = Object.hasOwn(timelineColumns, name) ? timelineColumns[name] : undefined;
  return column === undefined ? err(`There is no parameter '${name}' here.`) : ok({ column, is: '=', value });
}
