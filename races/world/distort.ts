import type { Millis } from '../../src/kernel/time.ts';
import type { Draw } from '../plan/draw.ts';
import { epoch } from '../plan/plan.ts';
import type { Entry } from './machine.ts';

/** Whose list it is that is made odd. */
export interface Place {
  readonly tag: string;
  readonly now: Millis;
  /** What the node's clock is ahead of ours, about. */
  readonly ahead: Millis;
}

/** What has been running since the run began, as far as an entry says so. */
const since: Millis = -600_000;

function phantom(place: Place, changes: Entry): Entry {
  const arrival = epoch + since + place.ahead;
  return {
    requestid: `77.${place.tag}.${arrival}.N`,
    startTime: '2026-09-21 11:00:00.000',
    expirationTime: '2026-09-21 23:00:00.000',
    url: '/query/fraud/adhoc_1',
    elapsedTime: place.now - since,
    ...changes,
  };
}

/** Entries whose id is none, but could be taken for one by who reads it carelessly. */
export function hostileIds({ tag, ahead }: Place): readonly string[] {
  const id = `78.${tag}.${epoch + since + ahead}.N`;
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

/** Urls that are no call of an installed query in a graph that one may name. */
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

/** Entries of nothing that ever ran, of which each is to be left out. Those of one turn are the same each time. */
export function hostileEntries(place: Place, turn: number): readonly Entry[] {
  const ids = hostileIds(place);
  const arrival = epoch + since + place.ahead;
  const url = hostileUrls[turn % hostileUrls.length];
  return [
    phantom(place, { requestid: ids[turn % ids.length] }),
    phantom(place, { requestid: ids[(turn + 7) % ids.length], url: '/query/sandbox/adhoc_2?x=1' }),
    phantom(place, { requestid: `79.${place.tag}.${arrival}.N`, url }),
  ];
}

/** Entries of which a part is odd; `null` and the like among them. */
export function oddEntries(place: Place, draw: Draw): readonly unknown[] {
  const arrival = epoch + since + place.ahead;
  const odd: readonly unknown[] = [
    null,
    7,
    'all',
    [],
    {},
    phantom(place, { elapsedTime: -5 }),
    phantom(place, { elapsedTime: `${place.now} ms` }),
    phantom(place, { elapsedTime: null }),
    phantom(place, { startTime: 'yesterday' }),
    phantom(place, { startTime: 1_790_000_000 }),
    phantom(place, { url: 4 }),
    phantom(place, { url: undefined }),
    phantom(place, { expirationTime: '2026-09-21 10:00:00.000' }),
    // Younger by its id than it says.
    phantom(place, { requestid: `80.${place.tag}.${arrival - since}.N`, elapsedTime: place.now + 3_600_000 }),
  ];
  return [draw.of(odd), draw.of(odd)].filter(
    (one, index, all) => all.indexOf(one) === index && !isSame(one, all[index - 1]),
  );
}

function isSame(one: unknown, other: unknown): boolean {
  return idIn(one) !== undefined && idIn(one) === idIn(other);
}

function idIn(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'requestid' in value ? value.requestid : undefined;
}

/** An instance that is on no machine of the cluster. */
export const foreignTag = 'RESTPP_9_9';

/** An entry of it. */
export function foreignEntry(place: Place): Entry {
  return phantom({ ...place, tag: foreignTag }, {});
}

/** Twice the same id, of which one entry tells a tale. */
export function doubled(entries: readonly Entry[]): readonly Entry[] {
  return entries.flatMap((one) => [one, { ...one, url: '/query/fraud/adhoc_1' }]);
}

/** What is no list at all. */
export function malformed(draw: Draw): unknown {
  return draw.of<unknown>([
    null,
    [],
    'x',
    { results: 'none' },
    { results: { 0: {} } },
    {},
    { error: 'maybe', results: [] },
  ]);
}
