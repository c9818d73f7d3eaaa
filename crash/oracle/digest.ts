import type { Evidence, Finding } from '../evidence.ts';
import type { Stretch } from './served.ts';
import { type Telling, tellingsTo } from './tellings.ts';

/** The receiver that is told of everything: of what began and ended unsent, in a digest. */
export interface Chronicle {
  readonly receiver: string;
  /** Receivers that tell incidents apart by the same names. */
  readonly others: readonly string[];
}

/** Incidents that others were told of, and that are in no line of the receiver with digests. */
export function missingIncidents({ receiver, others }: Chronicle, evidence: Evidence): readonly Finding[] {
  const told = new Set(takenBy(receiver, evidence).map(({ incident }) => incident));
  const elsewhere = others.flatMap((other) => takenBy(other, evidence));
  const missing = new Map(
    elsewhere.filter(({ incident }) => !told.has(incident)).map((telling) => [telling.incident, telling]),
  );
  return [...missing.values()].map(({ incident, letter }) => ({
    kind: 'not in the digest' as const,
    about: `${receiver} never heard of ${incident}, of which ${letter.receiver} was told`,
  }));
}

/** Times in which an instance was not well, and of which the receiver with digests was told nothing. */
export function missingTroubles(
  instance: string,
  stretches: readonly Stretch[],
  { receiver }: Chronicle,
  evidence: Evidence,
): readonly Finding[] {
  const episodes = episodesOf(takenBy(receiver, evidence), instance);
  const findings: Finding[] = [];
  let from = 0;
  for (const trouble of troublesOf(stretches)) {
    const found = episodes.findIndex((episode, index) => index >= from && meets(episode, trouble));
    if (found === -1) findings.push({ kind: 'not in the digest', about: sentence(receiver, instance, trouble) });
    // Each time that was seen to be over is an episode of its own.
    else from = found + 1;
  }
  return findings;
}

interface Span {
  readonly from: number;
  readonly until: number;
}

/** From the first bad status to the next good one, which was noticed as well. */
function troublesOf(stretches: readonly Stretch[]): readonly Span[] {
  const troubles: Span[] = [];
  let isWell = true;
  for (const { status, from, until } of stretches) {
    if (status !== well && isWell) troubles.push({ from, until });
    isWell = status === well;
  }
  return troubles;
}

const well = 'Online';

function takenBy(receiver: string, { letters, lives }: Evidence): readonly Telling[] {
  return tellingsTo(receiver, letters, lives).filter(({ letter }) => letter.taken);
}

/** In the order of their numbers, with the times that the lines say: seconds. */
function episodesOf(tellings: readonly Telling[], instance: string): readonly Span[] {
  const known = new Map<number, Span>();
  for (const { episode, instance: own, letter, action, incident } of tellings) {
    if (own !== instance || (action === 'resolve' && known.has(episode))) continue;
    const span = spanIn(letter.body, incident);
    if (span !== undefined) known.set(episode, span);
  }
  return [...known].toSorted(([one], [other]) => one - other).map(([, span]) => span);
}

const time = String.raw`(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) UTC`;

/** `(ID, TIME to TIME)` in a digest, `since TIME` before the id in an alert of its own. */
function spanIn(body: string, incident: string): Span | undefined {
  const told = new RegExp(
    String.raw`\(${incident}, ${time} to ${time}\)|since ${time}(?:, until ${time})? · ${incident}`,
  );
  const [, from, until, since, ended] = told.exec(body) ?? [];
  const begin = momentOf(from ?? since);
  if (begin === undefined) return undefined;
  return { from: begin, until: (momentOf(until ?? ended) ?? Number.POSITIVE_INFINITY) + 1000 };
}

function momentOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(`${text.replace(' ', 'T')}Z`);
}

function meets(episode: Span, trouble: Span): boolean {
  return episode.from <= trouble.until && episode.until >= trouble.from;
}

function sentence(receiver: string, instance: string, { from }: Span): string {
  return `${receiver} never heard that ${instance} was not well from ${new Date(from).toISOString()} on`;
}
