import { alertName } from '../../../src/alert/identity.ts';
import { rules } from '../../../src/alert/rules/all.ts';
import { episodesOf, type Stretch } from './episodes.ts';
import type { Firing } from './recording.ts';

const catalogue = new Map(rules.map((rule) => [alertName(rule), rule]));

/**
 * Alerts about one abort carry its request and its moment, which no series may: there would be one for each request. To
 * Prometheus all aborts of a policy on a node are one alert. These are the only two.
 */
const perRequest: readonly string[] = ['query_aborted', 'abort_unconfirmed'];
const ofRequest = ['graph', 'query', 'request_id', 'intent_at'];

/** In scrapes. */
interface Tolerance {
  /** How far the edges of an episode may be apart: twice the times between scrapes and evaluations, and the hold. */
  readonly edge: number;
  /** For how long both keep an alert when its condition is over. */
  readonly kept: number;
}

function toleranceFor(alert: string, every: number): Tolerance {
  const { hold = 0, keepFiring = 0 } = catalogue.get(alert) ?? {};
  return { edge: 2 * (1 + 1) + hold / 1000 / every, kept: keepFiring / 1000 / every };
}

/** With what Prometheus can tell apart, and of the catalogue alone. */
function comparable(firing: readonly (readonly Firing[])[]): readonly (readonly Firing[])[] {
  return firing.map((alerts) =>
    alerts.filter(({ alert }) => catalogue.has(alert)).map((one) => ({ ...one, identity: identityOf(one) })),
  );
}

function identityOf({ alert, identity }: Firing): Firing['identity'] {
  if (!perRequest.includes(catalogue.get(alert)?.name ?? '')) return identity;
  return Object.fromEntries(Object.entries(identity).filter(([label]) => !ofRequest.includes(label)));
}

/** What lies closer together than the edges may be apart is one episode. */
function joined(stretches: readonly Stretch[], within: number): readonly Stretch[] {
  const all: Stretch[] = [];
  for (const { from, to } of stretches) {
    const last = all.at(-1);
    if (last !== undefined && from - last.to <= within) all[all.length - 1] = { from: last.from, to };
    else all.push({ from, to });
  }
  return all;
}

/** A line for each alert whose episodes are not alike: ours and theirs, `every` so many seconds a scrape. */
export function differences(
  ours: readonly (readonly Firing[])[],
  theirs: typeof ours,
  every: number,
): readonly string[] {
  const [one, other] = [episodesOf(comparable(ours)), episodesOf(comparable(theirs))];
  return [...new Set([...one.keys(), ...other.keys()])].flatMap((key) => {
    const tolerance = toleranceFor(key.split(' ')[0] ?? '', every);
    const [mine, others] = [one, other].map((all) => joined(all.get(key) ?? [], tolerance.edge));
    const told = `${key}: ${textOf(mine, every)} and ${textOf(others, every)}`;
    return isAlike(mine ?? [], others ?? [], tolerance) ? [] : [told];
  });
}

/**
 * Pairs both in order. Where a condition held no longer than its start may be late, there need not be an episode in the
 * other at all; the last one may go on in both when the recording ends.
 */
function isAlike(mine: readonly Stretch[], others: readonly Stretch[], tolerance: Tolerance): boolean {
  const { edge, kept } = tolerance;
  const isBrief = ({ from, to }: Stretch): boolean => to - from - kept <= edge;
  const [[first, ...rest], [other, ...further]] = [mine, others];
  if (first === undefined) return others.every(isBrief);
  if (other === undefined) return mine.every(isBrief);
  const isNear = (one: number, another: number): boolean => Math.abs(one - another) <= edge;
  if (isNear(first.from, other.from) && isNear(first.to, other.to)) return isAlike(rest, further, tolerance);
  return first.from < other.from
    ? isBrief(first) && isAlike(rest, others, tolerance)
    : isBrief(other) && isAlike(mine, further, tolerance);
}

function textOf(stretches: readonly Stretch[] = [], every: number): string {
  return stretches.map(({ from, to }) => `${from * every}-${to * every} s`).join(', ') || 'never';
}
