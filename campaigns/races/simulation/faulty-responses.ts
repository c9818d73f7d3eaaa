import type { Millis } from '../../../src/kernel/time.ts';
import { epoch } from '../plan/plan.ts';
import type { RandomSource } from '../plan/random-source.ts';
import type { Entry } from './node.ts';

/** Node whose list gets faulty entries. */
export interface FaultTarget {
  readonly tag: string;
  readonly now: Millis;
  /** Approximate offset of the clock of the node from the clock of the guard. */
  readonly clockOffset: Millis;
}

/** Start of the queries in false entries: before the run. */
const since: Millis = -600_000;

function phantomEntry(target: FaultTarget, changes: Entry): Entry {
  const arrival = epoch + since + target.clockOffset;
  return {
    requestid: `77.${target.tag}.${arrival}.N`,
    startTime: '2026-09-21 11:00:00.000',
    expirationTime: '2026-09-21 23:00:00.000',
    url: '/query/fraud/adhoc_1',
    elapsedTime: target.now - since,
    ...changes,
  };
}

/** Returns entries with an invalid id that a lax pattern would accept. */
export function hostileIds({ tag, clockOffset }: FaultTarget): readonly string[] {
  const id = `78.${tag}.${epoch + since + clockOffset}.N`;
  return [
    'all',
    '',
    '.*',
    '*',
    `${id}&url=/query/*`,
    `${id}&requestid=all`,
    `all&requestid=${id}`,
    `${id}\n`,
    ` ${id}`,
    `${id},${id}`,
    `${id}#`,
    `${encodeURIComponent(id)}%26requestid=all`,
    id.toLowerCase(),
    id.replace('.', '\u2024'),
    `${'9'.repeat(3000)}.${id}`,
    id.replace(/\d{13}/, (digits) => `${digits}0`),
    id.replace('.N', '.M'),
    `${id}/../../abortquery/fraud?requestid=all`,
  ];
}

/** URLs that do not call an installed query in a valid graph. */
export const hostileUrls: readonly string[] = [
  '/query/fraud/../adhoc_1',
  '/query/fraud%2F..%2Fx/adhoc_1',
  '/query/fraud;x/adhoc_1',
  '/query//adhoc_1',
  '/query/fraud/adhoc_1/more',
  '/query/fraud/adhoc_1&x=/../y',
  '//query/fraud/adhoc_1',
  '/query/fraud?url=*/adhoc_1',
  '/query/gr\u00e4ph/adhoc_1',
  '/query/1fraud/adhoc_1',
  `/query/${'g'.repeat(400)}/adhoc_1`,
  '/builtins/fraud',
  '/endpoints/fraud',
  '/interpreted_query?graph=fraud',
  '/gsqlserver/interpreted_query',
  '/abortquery/fraud?requestid=all',
];

/** Returns entries of queries that never ran, each of which the guard has to reject. They depend on `turn` only. */
export function hostileEntries(target: FaultTarget, turn: number): readonly Entry[] {
  const ids = hostileIds(target);
  const arrival = epoch + since + target.clockOffset;
  const url = hostileUrls[turn % hostileUrls.length];
  return [
    phantomEntry(target, { requestid: ids[turn % ids.length] }),
    phantomEntry(target, { requestid: ids[(turn + 7) % ids.length], url: '/query/sandbox/adhoc_2?x=1' }),
    phantomEntry(target, { requestid: `79.${target.tag}.${arrival}.N`, url }),
  ];
}

/**
 * Number of a query that never ran, in an entry with valid fields. Only the clock of its node contradicts its age, by a
 * time that no clock is set by.
 */
const inventedNumber = 80;

/** Returns true if an id is that of an entry with valid fields whose query never ran. */
export function isInventedId(id: string): boolean {
  return id.startsWith(`${inventedNumber}.`);
}

/** Returns entries with an invalid field, such as `null`. */
export function malformedEntries(target: FaultTarget, draw: RandomSource): readonly unknown[] {
  const arrival = epoch + since + target.clockOffset;
  const odd: readonly unknown[] = [
    null,
    7,
    'all',
    [],
    {},
    phantomEntry(target, { elapsedTime: -5 }),
    phantomEntry(target, { elapsedTime: `${target.now} ms` }),
    phantomEntry(target, { elapsedTime: null }),
    phantomEntry(target, { startTime: 'yesterday' }),
    phantomEntry(target, { startTime: 1_790_000_000 }),
    phantomEntry(target, { url: 4 }),
    phantomEntry(target, { url: undefined }),
    phantomEntry(target, { expirationTime: '2026-09-21 10:00:00.000' }),
    phantomEntry(target, {
      requestid: `${inventedNumber}.${target.tag}.${arrival - since}.N`,
      elapsedTime: target.now + 7_654_321,
    }),
  ];
  return [draw.pick(odd), draw.pick(odd)].filter(
    (one, index, all) => all.indexOf(one) === index && !isSame(one, all[index - 1]),
  );
}

function isSame(one: unknown, other: unknown): boolean {
  return idIn(one) !== undefined && idIn(one) === idIn(other);
}

function idIn(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'requestid' in value ? value.requestid : undefined;
}

/** Instance tag of no machine of the cluster. */
export const foreignTag = 'RESTPP_9_9';

/** Returns an entry with that instance tag. */
export function foreignEntry(target: FaultTarget): Entry {
  return phantomEntry({ ...target, tag: foreignTag }, {});
}

/** Returns the entries, with a second, false entry for the same id. */
export function duplicatedEntries(entries: readonly Entry[]): readonly Entry[] {
  return entries.flatMap((one) => [one, { ...one, url: '/query/fraud/adhoc_1' }]);
}

/** Returns responses that are not lists. */
export function malformedBody(draw: RandomSource): unknown {
  return draw.pick<unknown>([
    null,
    [],
    'x',
    { results: 'none' },
    { results: { 0: {} } },
    {},
    { error: 'maybe', results: [] },
  ]);
}
