import type { GuardSettings, Mode } from '../policy.ts';
import type { TapeEvent, TapeHeader } from './format.ts';
import { type NativeSetting, nativeSettings } from './native-settings.ts';
import type { NodeNote } from './node-notes.ts';
import { replayable, type Unanswered } from './replayable.ts';
import { type OpenedBreaker, ReplayedGuard } from './replayed-guard.ts';
import type { ReplayedDecision, Verdict } from './tally.ts';

/** What became of the matches of one policy. */
export interface PolicyTotal {
  readonly policy: string;
  /** In which it was judged. */
  readonly mode: Mode;
  readonly matches: number;
  readonly verdicts: Readonly<Record<Verdict, number>>;
}

/** A policy that the recording could not answer, and how many queries it may have meant. */
export interface UnknownTotal extends Unanswered {
  readonly matches: number;
}

/** All that a replay tells. Times are ms since the epoch; nothing of it is user data. */
export interface ReplayReport {
  readonly cluster: string;
  readonly from: number;
  readonly to: number;
  readonly nodes: readonly NodeNote[];
  /** By E. */
  readonly decisions: readonly ReplayedDecision[];
  /** Decisions that were too many to be listed one by one. */
  readonly unlisted: number;
  readonly policies: readonly PolicyTotal[];
  readonly unknown: readonly UnknownTotal[];
  readonly breakers: readonly OpenedBreaker[];
  readonly settings: readonly NativeSetting[];
}

/** Runs a recording through the guard, line by line. */
export class Replay {
  readonly #header: TapeHeader;
  readonly #settings: GuardSettings;
  readonly #guard: ReplayedGuard;
  readonly #guesses: readonly { readonly unanswered: Unanswered; readonly guard: ReplayedGuard }[];
  #from: number | undefined;
  #to = 0;

  constructor(guard: GuardSettings, header: TapeHeader, options: { readonly enforceAll?: boolean } = {}) {
    const { settings, guesses } = replayable(guard, header, options);
    this.#header = header;
    this.#settings = settings;
    this.#guard = new ReplayedGuard(settings, header);
    this.#guesses = guesses.map((one) => ({
      unanswered: one.unanswered,
      guard: new ReplayedGuard(one.settings, header),
    }));
  }

  /** What was recorded next. */
  take(event: TapeEvent): void {
    this.#from ??= event.at.wall;
    this.#to = event.at.wall;
    this.#guard.take(event);
    for (const { guard } of this.#guesses) guard.take(event);
  }

  /** The end of the recording. */
  finish(): ReplayReport {
    this.#guard.finish();
    const { tally, nodes, breakers } = this.#guard;
    const decisions = tally.rows.toSorted(byTime);
    return {
      cluster: this.#header.cluster,
      from: this.#from ?? 0,
      to: this.#to,
      nodes: nodes.all,
      decisions,
      unlisted: tally.dropped,
      policies: this.#settings.policies.map(({ name, mode }) => totalOf(name, mode, decisions)),
      unknown: this.#guesses.map(({ unanswered, guard }) => ({ ...unanswered, matches: guard.tally.rows.length })),
      breakers,
      settings: nativeSettings(decisions, this.#settings),
    };
  }
}

/** By E. Two of one instant are told apart by what is the same in each replay. */
function byTime(one: ReplayedDecision, other: ReplayedDecision): number {
  return one.due - other.due || (sortText(one) < sortText(other) ? -1 : 1);
}

function sortText({ node, id, policy }: ReplayedDecision): string {
  return JSON.stringify([node, id, policy]);
}

function totalOf(policy: string, mode: Mode, decisions: readonly ReplayedDecision[]): PolicyTotal {
  const own = decisions.filter((one) => one.policy === policy);
  const count = (verdict: Verdict): number => own.filter((one) => one.verdict === verdict).length;
  const verdicts = {
    aborted: count('aborted'),
    would_abort: count('would_abort'),
    held: count('held'),
    over: count('over'),
    open: count('open'),
  };
  return { policy, mode, matches: own.length, verdicts };
}
