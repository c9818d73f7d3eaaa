import type { Evidence, Finding } from '../evidence.ts';
import { type Telling, tellingsTo } from './tellings.ts';

/** What receivers were told, and what of it a crash explains. */
export interface Deliveries {
  readonly receiver: string;
  readonly findings: readonly Finding[];
  /** Incidents in letters that were taken. */
  readonly delivered: number;
  /** Incidents that were under way to the receiver when the daemon was killed, or answered just before. */
  readonly inFlight: number;
  /** Those of them without an answer. */
  readonly unansweredAtKill: number;
  /** Taken a second time because they were under way when the daemon was killed. */
  readonly duplicates: number;
  /** How long before the kill one of these was answered, at most: so long it took to store the answer. */
  readonly slowestStoring: number;
  /** Taken a second time because the receiver did not say that it had taken them. */
  readonly unanswered: number;
  /** Digest lines that were taken. */
  readonly folded: number;
  /** The lives in which something was taken. */
  readonly livesWithDelivery: ReadonlySet<number>;
}

/**
 * How long the daemon may take from the answer until it has stored it: killed meanwhile it has to send again. What was
 * under way is told by the receiver's clock, which knows nothing of that.
 */
const storing = 1000;

/** Judges what one receiver was told. */
export function judgeDeliveries(receiver: string, evidence: Evidence): Deliveries {
  const tellings = tellingsTo(receiver, evidence.letters, evidence.lives);
  const flying = inFlight(tellings, evidence);
  const repeats = repeatsOf(tellings, flying);
  const taken = tellings.filter(({ letter }) => letter.taken);
  return {
    receiver,
    findings: [...disorders(tellings), ...repeats.findings, ...owed(tellings)],
    delivered: taken.length,
    inFlight: flying.size,
    unansweredAtKill: [...flying].filter((telling) => answeredBeforeKill(telling, evidence) === undefined).length,
    duplicates: repeats.duplicates.length,
    slowestStoring: Math.max(0, ...repeats.duplicates.map((telling) => answeredBeforeKill(telling, evidence) ?? 0)),
    unanswered: repeats.unanswered,
    folded: taken.filter(({ action }) => action === 'folded').length,
    livesWithDelivery: new Set(taken.map(({ life }) => life)),
  };
}

/** The last letter of a life, if it was answered so late, or never, that the daemon cannot have stored the answer for sure. */
function inFlight(tellings: readonly Telling[], { lives }: Evidence): ReadonlySet<Telling> {
  const flying = new Set<Telling>();
  for (const [life, { killedAt }] of lives.entries()) {
    const own = tellings.filter((telling) => telling.life === life);
    const last = own.at(-1)?.letter;
    if (killedAt === undefined || last === undefined) continue;
    if (last.endedAt !== undefined && last.endedAt < killedAt - storing) continue;
    for (const telling of own) if (telling.letter === last) flying.add(telling);
  }
  return flying;
}

/** How long before the kill the answer had left; undefined where it had not. */
function answeredBeforeKill({ letter, life }: Telling, { lives }: Evidence): number | undefined {
  const killedAt = lives[life]?.killedAt;
  if (letter.answer !== 'sent' || letter.endedAt === undefined || killedAt === undefined) return undefined;
  return letter.endedAt <= killedAt ? killedAt - letter.endedAt : undefined;
}

/** Nothing may come in the wrong order; an episode that was refused counts for nothing with those before it. */
function* disorders(tellings: readonly Telling[]): Generator<Finding> {
  const known = new Set<string>();
  const ended = new Set<string>();
  const newest = new Map<string, number>();
  for (const telling of tellings) {
    const { action, key, episode, incident, letter } = telling;
    if (action === 'folded') continue;
    if (action === 'resolve' && !known.has(incident)) yield disorder(telling, 'before its trigger was taken');
    if (action === 'trigger' && ended.has(incident)) yield disorder(telling, 'after its own resolve');
    if (episode < (newest.get(key) ?? episode)) yield disorder(telling, `after episode ${newest.get(key)}`);
    const mayBeKnown = letter.taken || letter.answer !== 'sent';
    if (mayBeKnown) newest.set(key, Math.max(episode, newest.get(key) ?? episode));
    if (action === 'trigger' && letter.taken) known.add(incident);
    if (action === 'resolve') ended.add(incident);
  }
}

function disorder(telling: Telling, how: string): Finding {
  return { kind: 'disordered', about: `${nameOf(telling)} came ${how}` };
}

interface Repeats {
  readonly findings: readonly Finding[];
  /** What was under way when it was taken for the first time. */
  readonly duplicates: readonly Telling[];
  readonly unanswered: number;
}

/** Alertmanager is told of everything again and again: that is how it is to be spoken to. */
function repeatsOf(tellings: readonly Telling[], flying: ReadonlySet<Telling>): Repeats {
  const last = new Map<string, Telling>();
  const findings: Finding[] = [];
  const duplicates: Telling[] = [];
  let unanswered = 0;
  for (const telling of tellings) {
    if (!telling.letter.taken || telling.letter.kind === 'alertmanager') continue;
    const what = `${telling.incident} ${telling.action}`;
    const before = last.get(what);
    last.set(what, telling);
    if (before === undefined) continue;
    if (flying.has(before) && telling.life > before.life) duplicates.push(before);
    else if (before.letter.answer !== 'sent') unanswered += 1;
    else findings.push({ kind: 'repeated', about: `${nameOf(telling)} was taken again without a reason` });
  }
  return { findings, duplicates, unanswered };
}

/** What may have arrived has to be known to the receiver in the end, and to be over. */
function* owed(tellings: readonly Telling[]): Generator<Finding> {
  for (const [incident, all] of Map.groupBy(tellings, (telling) => telling.incident)) {
    const triggers = all.filter(({ action }) => action === 'trigger');
    const first = triggers.find(mayHaveArrived);
    if (first === undefined) continue;
    if (!triggers.some(({ letter }) => letter.taken)) {
      yield { kind: 'lost', about: `${nameOf(first)} was sent, and never repeated until it was taken` };
    } else if (!all.some(({ action, letter }) => action === 'resolve' && letter.taken)) {
      yield { kind: 'left open', about: `${first.letter.receiver} never took the resolve of ${incident}` };
    }
  }
}

/** An answer that says «not taken» leaves no doubt, if it arrived: a 5xx says nothing of that kind. */
function mayHaveArrived({ letter }: Telling): boolean {
  return letter.taken || letter.answer !== 'sent' || letter.status === 500;
}

function nameOf({ letter, action, incident, life }: Telling): string {
  return `${letter.receiver}: ${action} of ${incident} (life ${life + 1})`;
}
