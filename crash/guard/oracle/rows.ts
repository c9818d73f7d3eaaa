import type { Row } from '../books.ts';
import { abortRequests, type Evidence, type Finding, isList, type Ran } from '../evidence.ts';
import { nameOf } from './requests.ts';

/** A list may be read a little after the server has made it. */
const slack = 500;
/** The last lists, after the deadline, that could have told how it ended. */
const lastLists = 4000;
/** By then the outcome of what is gone is known, and by then any outcome is. */
const known = { gone: 6000, all: 38_000 } as const;

/** Each request has its intent from before, each intent in the end an outcome, and no outcome is a lie. */
export function wrongRows(evidence: Evidence): readonly Finding[] {
  const requests = abortRequests(evidence);
  const intents = new Map(evidence.rows.map((row) => [nameOf(row), row]));
  const ran = new Map(evidence.ran.map((one) => [nameOf(one), one]));
  const unwritten = requests.flatMap(({ node, ids, at }) =>
    ids
      .map((id) => nameOf({ node, id }))
      .filter((name) => (intents.get(name)?.at ?? Number.POSITIVE_INFINITY) > at + 1)
      .map((name): Finding => ({ kind: 'without intent', about: `there is no intent from before for ${name}` })),
  );
  const facts = (row: Row): Facts => ({
    row,
    query: ran.get(nameOf(row)),
    isAsked: requests.some(({ node, ids }) => node === row.node && ids.includes(row.id)),
    abortedAt: evidence.aborts.find(({ node, requestId }) => node === row.node && requestId === row.id)?.at,
  });
  return [
    ...unwritten,
    ...evidence.rows.filter((row) => row.outcome === null && isOverdue(facts(row), evidence)).map(open),
    ...evidence.rows.filter((row) => row.outcome !== null).flatMap((row) => lies(facts(row))),
    ...evidence.rows.filter((row) => row.outcome === 'unknown' && wasListed(row, evidence)).map(unknown),
  ];
}

/** Whether a kill came between an intent and its request. */
export function wasCut({ node, id, outcome }: Row, evidence: Pick<Evidence, 'calls'>): boolean {
  const isAsked = abortRequests(evidence).some((one) => one.node === node && one.ids.includes(id));
  return !isAsked && outcome !== 'withdrawn' && outcome !== 'refused';
}

/** What is true of a query for which there is an intent. */
interface Facts {
  readonly row: Row;
  readonly query: Ran | undefined;
  readonly isAsked: boolean;
  readonly abortedAt: number | undefined;
}

function open(row: Row): Finding {
  return { kind: 'without outcome', about: `nobody ever said how ${nameOf(row)} ended` };
}

/** What began late in the last life may be open in the end, as far as there was nothing to be seen of its end. */
function isOverdue({ row, query, abortedAt }: Facts, evidence: Evidence): boolean {
  const { lives, endedAt, calls } = evidence;
  const begin = lives.at(-1)?.from ?? 0;
  const firstList = calls.find((call) => isList(call) && call.node === row.node && call.at >= begin)?.at ?? begin;
  const since = endedAt - Math.max(row.at, firstList);
  if (since >= known.all) return true;
  const end = query === undefined ? 0 : endOf(query, abortedAt);
  return endedAt - Math.max(end, endedAt - since) >= known.gone && wasListed({ ...row, ended_at: endedAt }, evidence);
}

function unknown(row: Row): Finding {
  return { kind: 'unknown', about: `the end of ${nameOf(row)} is unknown although the node was listed` };
}

function wasListed({ node, ended_at: end }: Row, { calls }: Evidence): boolean {
  if (end === null) return false;
  const good = calls.filter((call) => isList(call) && call.node === node && call.status === 200);
  return good.filter(({ at }) => at > end - lastLists && at <= end).length > 1;
}

function lies(facts: Facts): readonly Finding[] {
  const { row } = facts;
  const about = `${nameOf(row)} was ${row.outcome}, although it `;
  return contradictions(facts).map((but) => ({ kind: 'wrong outcome', about: `${about}${but}` }));
}

function contradictions({ row, query, isAsked, abortedAt }: Facts): readonly string[] {
  const at = row.ended_at ?? 0;
  const end = query === undefined ? 0 : endOf(query, abortedAt);
  switch (row.outcome ?? 'none') {
    case 'withdrawn':
      return isAsked ? ['was asked for'] : [];
    case 'confirmed':
      return [...(abortedAt === undefined ? ['was not aborted'] : []), ...(end > at ? ['runs'] : [])];
    case 'finished_first':
      return [...(abortedAt === undefined ? [] : ['was aborted']), ...(end > at ? ['runs'] : [])];
    case 'vanished':
      return end > at ? ['runs'] : [];
    case 'still_running':
    case 'not_aborted':
      return end < at - slack ? [`had ended ${at - end} ms before`] : [];
    default:
      return [];
  }
}

function endOf({ kind, endsAt }: Ran, abortedAt: number | undefined): number {
  return kind === 'zombie' || abortedAt === undefined ? endsAt : Math.min(endsAt, abortedAt);
}
