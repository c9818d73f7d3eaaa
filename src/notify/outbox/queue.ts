import type { Change } from '../../kernel/store.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Alert } from '../../model/alert.ts';
import type { ReceiverView } from '../../model/situation.ts';
import type { Answer, NotifierTraits } from '../notifier.ts';
import { chooseLetter } from './choosing.ts';
import type { Departure, Next, Settlement } from './departure.ts';
import { historyOf } from './endings.ts';
import type { Verdict } from './episode.ts';
import { type Folded, nothingFolded } from './folded.ts';
import { failingSince, type Health, healthAfter, healthAtStart, isAway, preferenceOf, resultOf } from './health.ts';
import {
  type Attempt,
  abandoned,
  answered,
  departed,
  emptyLane,
  expired,
  headOf,
  inherited,
  isAbandoned,
  type Lane,
  type LaneStep,
  resolved,
  revived,
  type Trigger,
  triggered,
} from './lane.ts';
import { Missed } from './missed.ts';
import { isHopeless, patience } from './outage.ts';
import { nextAllowed, type Sent, withSent } from './rate.ts';
import { laneKept, type Standing, standingKept } from './rows.ts';
import { openIn, type Undelivered, undeliveredOf, viewOf } from './standing.ts';
import { verdictOf } from './verdicts.ts';

const sweepAfter = 60_000;

/** All that one receiver is owed, and how it is doing. It does nothing by itself: what is to be stored is returned. */
export class Queue {
  readonly receiver: string;
  #traits: NotifierTraits;
  #health: Health;
  #sent: Sent = [];
  #sweptAt = Number.NEGATIVE_INFINITY;
  readonly #missed: Missed;
  readonly #lanes: Map<string, Lane>;
  readonly #held = new Map<string, number>();

  constructor(receiver: string, traits: NotifierTraits, lanes: readonly Lane[] = [], standing?: Standing) {
    this.receiver = receiver;
    this.#traits = traits;
    this.#lanes = new Map(lanes.map((lane) => [lane.key, lane]));
    // A receiver that is owed nothing is not asked: whether it is still broken is not known.
    this.#health = healthAtStart(standing?.outage, lanes.length > 0 ? standing?.brokenSince : undefined);
    this.#missed = new Missed(standing?.folded ?? nothingFolded);
  }

  /** The settings are others now: whatever was said before, it is tried at once. */
  retry(traits: NotifierTraits): void {
    this.#traits = traits;
    this.#health = { ...this.#health, pausedUntil: Number.NEGATIVE_INFINITY, failures: 0, limits: 0 };
  }

  /** Owes the receiver a trigger or a reminder. */
  trigger(trigger: Trigger, now: Instant): readonly Change[] {
    return this.#owe(trigger, triggered, now);
  }

  /** Owes it, once, what another receiver does not take. */
  standIn(trigger: Trigger, now: Instant): readonly Change[] {
    return this.#owe(trigger, inherited, now);
  }

  /** Owes it the end of an episode, where it may have heard of its beginning. */
  resolve(alert: Alert, due: number, now: Instant): readonly Change[] {
    if (!this.#lanes.has(alert.key)) return [];
    return this.#step(alert.key, (lane) => resolved(lane, alert, due, now), now);
  }

  /** Keeps a lane back until it is freed as often: what is owed there is not stored yet. */
  hold(key: string): void {
    this.#held.set(key, (this.#held.get(key) ?? 0) + 1);
  }

  /** Undoes holding it back once. */
  free(key: string): void {
    const times = (this.#held.get(key) ?? 0) - 1;
    if (times > 0) this.#held.set(key, times);
    else this.#held.delete(key);
  }

  /** What to do now. */
  next(now: Instant): Next {
    const { pausedUntil } = this.#health;
    if (now.mono < pausedUntil) return { kind: 'wait', until: pausedUntil, soon: false };
    const next = this.#choose(now);
    const allowed = nextAllowed(this.#sent, this.#traits);
    return next.kind === 'send' && now.mono < allowed ? { kind: 'wait', until: allowed, soon: true } : next;
  }

  /** The letter leaves. What is returned has to be stored before: after a crash it is one that may have arrived. */
  depart({ choice }: Departure, now: Instant): readonly Change[] {
    this.#sent = withSent(this.#sent, now.mono);
    return [...choice.attempts].flatMap(([key, attempt]) => {
      const lane = this.#lanes.get(key);
      if (lane === undefined || attempt.errand !== 'trigger' || attempt.before !== 'no') return [];
      return this.#keep(departed(lane, attempt));
    });
  }

  /** What an answer comes to for all that was in the letter; `random` is uniform in [0, 1). */
  settle(departure: Departure, answer: Answer, now: Instant, random: () => number): Settlement {
    const before = this.#health;
    this.#health = healthAfter(before, answer, now, random());
    const attempts = [...departure.choice.attempts];
    const parts = attempts.map(([key, attempt], index) => {
      const verdict = verdictOf(answer, index, attempts.length, random());
      return this.#settleLane(key, attempt, { verdict, answer, now });
    });
    const digest = departure.digestOf && this.#settleDigest(departure.digestOf, answer);
    const all = digest === undefined ? parts : [...parts, digest];
    const endings = all.flatMap((part) => part.endings);
    const { outage, brokenSince } = this.#health;
    const isSame = before.outage === outage && before.brokenSince === brokenSince;
    const standing = isSame ? [] : [this.#standing()];
    const others = [...this.#abandon(answer, now), ...this.#revive(before, now), ...standing];
    return {
      changes: [...all.flatMap((part) => part.changes), ...others, ...historyOf(this.receiver, endings, now.wall)],
      endings,
    };
  }

  /** Triggers that others have to get because this receiver does not take them. */
  undelivered(now: Instant): readonly Undelivered[] {
    return undeliveredOf(this.#health, [...this.#lanes.values()], now);
  }

  /** Whether it counts as failing. */
  isFailing(now: Instant): boolean {
    return failingSince(this.#health, now.wall) !== undefined;
  }

  /** How the receiver is doing. */
  view(now: Instant): ReceiverView {
    const about = { receiver: this.receiver, health: this.#health, missed: this.#missed.folded.count };
    return viewOf(about, [...this.#lanes.values()], now);
  }

  /** Lets go what is over and done with; looks once a minute. */
  sweep(now: Instant): readonly Change[] {
    if (now.mono - this.#sweptAt < sweepAfter) return [];
    this.#sweptAt = now.mono;
    const gone = [...this.#lanes.values()].flatMap((lane) => {
      const rest = expired(lane, now.wall);
      return rest === lane ? [] : this.#keep(rest);
    });
    return [...gone, ...this.#forgetOutage(now)];
  }

  #owe(trigger: Trigger, change: typeof triggered, now: Instant): readonly Change[] {
    if (this.#traits.wakesPeople === true && trigger.alert.severity === 'info') return [];
    return this.#step(trigger.alert.key, (lane) => change(lane, trigger, now), now);
  }

  #choose(now: Instant): Next {
    const chosen = chooseLetter(this.#freeLanes(), this.#traits, now, preferenceOf(this.#health));
    const isDigestFirst = this.#missesMuch(now);
    if ('letter' in chosen && !isDigestFirst) return { kind: 'send', choice: chosen };
    const from = 'letter' in chosen ? now.mono : chosen.at;
    // What is held may be among what was missed, and is not stored yet: whoever frees it looks again.
    if (this.#held.size > 0 && this.#traits.takesDigests)
      return { kind: 'wait', until: isDigestFirst ? undefined : from, soon: false };
    const dueAt = this.#traits.takesDigests ? this.#missed.dueAt : undefined;
    if ('letter' in chosen || (dueAt !== undefined && dueAt <= now.mono)) return this.#digest();
    return { kind: 'wait', until: sooner(from, dueAt), soon: false };
  }

  *#freeLanes(): Generator<Lane> {
    for (const lane of this.#lanes.values()) if (!this.#held.has(lane.key)) yield lane;
  }

  #step(key: string, change: (lane: Lane) => LaneStep, now: Instant): readonly Change[] {
    const before = this.#lanes.get(key) ?? emptyLane(key);
    const step = change(before);
    return step.lane === before ? [] : this.#take(step, now);
  }

  #take(step: LaneStep, now: Instant): readonly Change[] {
    const kept = this.#keep(step.lane);
    if (step.folded.length === 0 || !this.#traits.takesDigests) return kept;
    this.#missed.add(step.folded, now);
    return [...kept, this.#standing()];
  }

  #keep(lane: Lane): readonly Change[] {
    if (lane.episodes.length === 0) this.#lanes.delete(lane.key);
    else this.#lanes.set(lane.key, lane);
    return [laneKept(this.receiver, lane)];
  }

  #standing(): Change {
    const { outage, brokenSince } = this.#health;
    return standingKept(this.receiver, {
      folded: this.#missed.folded,
      ...(outage === undefined ? {} : { outage }),
      ...(brokenSince === undefined ? {} : { brokenSince }),
    });
  }

  #missesMuch(now: Instant): boolean {
    const isTold = this.#missed.dueAt !== undefined || openIn(this.#lanes.values()) > 0;
    return this.#traits.takesDigests && isAway(this.#health, now.wall) && isTold;
  }

  #digest(): Departure {
    const letter = this.#missed.letter(openIn(this.#lanes.values()), this.#health.outage?.since);
    const choice = { letter, detail: this.#missed.detail, attempts: new Map<string, Attempt>() };
    return { kind: 'send', choice, digestOf: this.#missed.folded };
  }

  #settleLane(key: string, attempt: Attempt, { verdict, answer, now }: Told): Settlement {
    const before = this.#lanes.get(key);
    const known = before && episodeOf(before, attempt);
    if (before === undefined || known === undefined) return { changes: [], endings: [] };
    const step = answered(before, attempt, { verdict, forgets: this.#traits.forgets }, now);
    const about = { key, episode: attempt.episode, action: attempt.errand };
    const isWaitedFor = verdict.kind === 'accepted' && attempt.errand !== 'refresh' && attempt.errand !== 'remind';
    const ending = { ...about, result: resultOf(answer), ...(isWaitedFor ? { due: known.due } : {}) };
    const isGivenUp = known.parked === undefined && episodeOf(step.lane, attempt)?.parked !== undefined;
    return {
      changes: this.#take(step, now),
      endings: isGivenUp ? [ending, { ...about, result: 'parked' }] : [ending],
    };
  }

  #settleDigest(told: Folded, answer: Answer): Settlement {
    const about = { key: '', episode: 0, action: 'digest' };
    const ending = { ...about, result: resultOf(answer) };
    if (!this.#missed.settle(told, answer)) return { changes: [], endings: [ending] };
    const endings = answer.kind === 'accepted' ? [ending] : [ending, { ...about, result: 'parked' }];
    return { changes: [this.#standing()], endings };
  }

  /** What a receiver that is out for too long is owed for too long does not wait for its turn. */
  #abandon({ kind }: Answer, now: Instant): readonly Change[] {
    const { outage } = this.#health;
    if (kind !== 'unavailable' || outage === undefined || !isHopeless(outage, now.wall)) return [];
    return [...this.#lanes.values()].flatMap((lane) => {
      const head = headOf(lane);
      const before = now.wall - patience.answering;
      return head === undefined || head.episode.due > before ? [] : this.#keep(abandoned(lane, before, now));
    });
  }

  /** Nobody waits for a receiver that is owed nothing: whether it is still out is not known. */
  #forgetOutage(now: Instant): readonly Change[] {
    const { outage, brokenSince, result } = this.#health;
    if (outage === undefined || brokenSince !== undefined || this.#missed.dueAt !== undefined) return [];
    const chosen = chooseLetter(this.#lanes.values(), this.#traits, now);
    if ('letter' in chosen || chosen.at !== undefined || [...this.#lanes.values()].some(isAbandoned)) return [];
    this.#health = { ...healthAtStart(), result };
    return [this.#standing()];
  }

  #revive(before: Health, now: Instant): readonly Change[] {
    const wasLong = before.failures >= 3 || before.brokenSince !== undefined || isAway(before, now.wall);
    if (this.#health.outage !== undefined || !wasLong) return [];
    return [...this.#lanes.values()].flatMap((lane) => {
      const changes = this.#keep(revived(lane, now));
      return isAbandoned(lane) ? changes : [];
    });
  }
}

interface Told {
  readonly verdict: Verdict;
  readonly answer: Answer;
  readonly now: Instant;
}

function episodeOf({ episodes }: Lane, { episode }: Attempt): Lane['episodes'][number] | undefined {
  return episodes.find(({ alert }) => alert.episode === episode);
}

function sooner(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}
