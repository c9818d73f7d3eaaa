import { isDeepStrictEqual } from 'node:util';
import { alertName } from '../../../src/alert/active-alert.ts';
import { rules } from '../../../src/alert/rules/all.ts';
import { type FiringSpan, firingSpans } from './firing-spans.ts';
import type { Firing } from './recording.ts';

const catalogue = new Map(rules.map((rule) => [alertName(rule), rule]));

/**
 * Alerts about one abort carry its request and its time, which no series does: each request would be a new series. In
 * Prometheus, all aborts of a policy on a node are one alert. These are the only two.
 */
const perRequest: readonly string[] = ['query_aborted', 'abort_unconfirmed'];
const ofRequest = ['graph', 'query', 'request_id', 'intent_at'];

/** In scrapes. */
interface Tolerance {
  /** Tolerated distance of start and end: twice the scrape and evaluation interval, and the `for` of the rule. */
  readonly edge: number;
  /** How long both engines keep an alert firing after its condition ends. */
  readonly kept: number;
}

function toleranceFor(alert: string, every: number): Tolerance {
  const { for: hold = 0, keepFiringFor = 0 } = catalogue.get(alert) ?? {};
  return { edge: 2 * (1 + 1) + hold / 1000 / every, kept: keepFiringFor / 1000 / every };
}

/** Returns the alerts of the catalog with the labels that Prometheus can distinguish. */
function comparable(firing: readonly (readonly Firing[])[]): readonly (readonly Firing[])[] {
  return firing.map((alerts) =>
    alerts.filter(({ alert }) => catalogue.has(alert)).map((one) => ({ ...one, identity: identityOf(one) })),
  );
}

function identityOf({ alert, identity }: Firing): Firing['identity'] {
  if (!perRequest.includes(catalogue.get(alert)?.name ?? '')) return identity;
  return Object.fromEntries(Object.entries(identity).filter(([label]) => !ofRequest.includes(label)));
}

/** Joins incidents that are closer together than the tolerated distance. */
function joined(spans: readonly FiringSpan[], within: number): readonly FiringSpan[] {
  const all: FiringSpan[] = [];
  for (const { from, to } of spans) {
    const last = all.at(-1);
    if (last !== undefined && from - last.to <= within) all[all.length - 1] = { from: last.from, to };
    else all.push({ from, to });
  }
  return all;
}

/** Returns a line for each alert whose incidents differ between the engines; `every` is the scrape interval in seconds. */
export function differences(
  ours: readonly (readonly Firing[])[],
  theirs: typeof ours,
  every: number,
): readonly string[] {
  const [own, replayed] = [comparable(ours), comparable(theirs)];
  const [one, other] = [firingSpans(own), firingSpans(withDelayedResolves(own, replayed))];
  return [...new Set([...one.keys(), ...other.keys()])].flatMap((key) => {
    const tolerance = toleranceFor(key.split(' ')[0] ?? '', every);
    const [mine, others] = [one, other].map((all) => joined(all.get(key) ?? [], tolerance.edge));
    const report = `${key}: ${describeSpans(mine, every)} and ${describeSpans(others, every)}`;
    return isAlike(mine ?? [], others ?? [], tolerance) ? [] : [report];
  });
}

/**
 * Prolongs the incidents of Prometheus by the time for which graphwarden delays a resolve: an instance that flaps is not
 * resolved before the flapping ends, which PromQL cannot express.
 */
function withDelayedResolves(
  ours: readonly (readonly Firing[])[],
  theirs: readonly (readonly Firing[])[],
): readonly (readonly Firing[])[] {
  let before: readonly Firing[] = [];
  return theirs.map((firing, scrape) => {
    const own = ours[scrape] ?? [];
    const delayed = before.filter(
      (one) =>
        !firing.some((other) => isDeepStrictEqual(one, other)) &&
        own.some((other) => isDeepStrictEqual(one, other)) &&
        own.some(({ alert, identity }) => alert === flapping && isDeepStrictEqual(identity, one.identity)),
    );
    before = [...firing, ...delayed];
    return before;
  });
}

const flapping = 'GraphdbServiceFlapping';

/**
 * Pairs the incidents of both in order. An incident shorter than the tolerated distance may be missing in the other
 * engine; the last one may still fire in both when the recording ends.
 */
function isAlike(mine: readonly FiringSpan[], others: readonly FiringSpan[], tolerance: Tolerance): boolean {
  const { edge, kept } = tolerance;
  const isBrief = ({ from, to }: FiringSpan): boolean => to - from - kept <= edge;
  const [[first, ...rest], [other, ...further]] = [mine, others];
  if (first === undefined) return others.every(isBrief);
  if (other === undefined) return mine.every(isBrief);
  const isNear = (one: number, another: number): boolean => Math.abs(one - another) <= edge;
  if (isNear(first.from, other.from) && isNear(first.to, other.to)) return isAlike(rest, further, tolerance);
  return first.from < other.from
    ? isBrief(first) && isAlike(rest, others, tolerance)
    : isBrief(other) && isAlike(mine, further, tolerance);
}

function describeSpans(spans: readonly FiringSpan[] = [], every: number): string {
  return spans.map(({ from, to }) => `${from * every}-${to * every} s`).join(', ') || 'never';
}
