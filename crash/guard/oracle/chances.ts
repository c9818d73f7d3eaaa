import type { Millis } from '../../../src/kernel/time.ts';
import { lifeAt } from '../../evidence.ts';
import { abortRequests, type Evidence, isList } from '../evidence.ts';

/** What became of one life. */
export interface Chance {
  /** It lasted long enough to abort something, and there was room in the budgets. */
  readonly isEnough: boolean;
  /** Requests for aborts that came from it. */
  readonly asked: number;
}

/** Two sightings, the grace and a fresh list, on a machine that has other work too. */
const needed: Millis = 2500;
/** How long there has to be room. */
const roomFor: Millis = 700;
const step: Millis = 100;

/** Which lives could have aborted something, and which did: a guard that does nothing says nothing. */
export function chancesOf(evidence: Evidence): readonly Chance[] {
  const { lives, calls } = evidence;
  const requests = abortRequests(evidence);
  return lives.map(({ from, killedAt = Number.POSITIVE_INFINITY }, life) => {
    const asked = requests.filter(({ at }) => lifeAt(lives, at) === life).length;
    const first = calls.find((call) => isList(call) && call.at >= from && call.at < killedAt)?.at;
    const isFree = first !== undefined && hasRoom(evidence, first + needed, Math.min(killedAt, first + 60_000));
    return { isEnough: asked > 0 || isFree, asked };
  });
}

function hasRoom({ rows, limits, ran }: Evidence, from: number, until: number): boolean {
  const nodes = [...new Set(ran.map(({ node }) => node))];
  const isFree = (at: number): boolean => {
    const spent = rows.filter((row) => row.at <= at && row.at > at - limits.within);
    if (spent.length >= limits.perCluster) return false;
    return nodes.some((node) => spent.filter((row) => row.node === node).length < limits.perNode);
  };
  let free = 0;
  for (let at = from; at <= until && free < roomFor; at += step) free = isFree(at) ? free + step : 0;
  return free >= roomFor;
}
