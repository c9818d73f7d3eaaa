import type { Instant, Millis } from '../../kernel/time.ts';
import { ageAt, type Candidate } from '../candidate.ts';
import type { Decision, Doubt, LateReason } from '../decision/decision.ts';
import type { Match } from '../matcher.ts';
import type { Mode } from '../policy.ts';

/** What came of a match in a replay. */
export type Verdict =
  /** An enforcing policy's order to abort was due; it went nowhere. */
  | 'aborted'
  | 'would_abort'
  /** A budget, a rest or a breaker stood in its way to the end. */
  | 'held'
  /** The query was no longer listed, or matched no more, before it came to that. */
  | 'over'
  /** The recording ended first. */
  | 'open';

/** What stood in the way of a decision, or ended it. */
export type Reason = LateReason | Doubt;

/** One match of a query and a policy. Times are ms since the epoch. */
export interface ReplayedDecision {
  readonly policy: string;
  readonly mode: Mode;
  readonly node: string;
  readonly graph: string;
  readonly query: string;
  readonly id: string;
  /** M and E. */
  readonly matchedAt: number;
  readonly due: number;
  /** How old the query was at E, or would have been. */
  readonly age: Millis;
  readonly grantedTimeout?: Millis;
  readonly verdict: Verdict;
  /** When that was known. */
  readonly at: number;
  /** What held it, also where it came through in the end; or why it was over. */
  readonly reason?: Reason;
  /** How long the recording lists the query after an abort that nobody sent. */
  readonly ranOn?: Millis;
}

/** More are counted, and not kept one by one. */
const mostKept = 10_000;

/** Keeps what came of each match. */
export class Tally {
  /** By policy and key, in the order in which they began. */
  readonly #rows = new Map<string, ReplayedDecision>();
  /** How many could not be kept. */
  dropped = 0;

  get rows(): readonly ReplayedDecision[] {
    return [...this.#rows.values()];
  }

  /** A decision began; `candidate` is what it is about. */
  began(decision: Decision, candidate: Candidate | undefined, now: Instant): void {
    const { target, policy, mode, matchedAt, due } = decision;
    const { node, graph, query, id } = target;
    const granted = candidate?.sighting.grantedTimeout;
    this.#put(rowKey(policy, decision.key), {
      policy,
      mode,
      node,
      graph,
      query,
      id,
      matchedAt: wallOf(matchedAt, now),
      due: wallOf(due, now),
      age: candidate === undefined ? 0 : ageAt(candidate, due).least,
      ...(granted === undefined ? {} : { grantedTimeout: granted }),
      verdict: 'open',
      at: now.wall,
    });
  }

  /** A breaker keeps this match from ever beginning. */
  broken({ candidate, policy, mode, since }: Match, key: string, now: Instant): void {
    if (this.#rows.has(rowKey(policy.name, key))) return;
    const { id, startTime, graph, query } = candidate.sighting;
    const target = { node: candidate.node, id, startTime, graph, query };
    const due = since + policy.grace;
    const decision = {
      key,
      target,
      policy: policy.name,
      mode,
      matchedAt: since,
      due,
      phase: 'grace',
      absences: 0,
    } as const;
    this.began(decision, candidate, now);
    this.note(policy.name, key, { verdict: 'held', reason: 'breaker', at: now.wall });
  }

  /** Something became of a decision. */
  note(
    policy: string,
    key: string,
    news: Partial<Pick<ReplayedDecision, 'verdict' | 'reason' | 'at' | 'ranOn'>>,
  ): void {
    const row = this.of(policy, key);
    if (row !== undefined) this.#rows.set(rowKey(policy, key), { ...row, ...news });
  }

  /** What is known of a decision. */
  of(policy: string, key: string): ReplayedDecision | undefined {
    return this.#rows.get(rowKey(policy, key));
  }

  #put(key: string, row: ReplayedDecision): void {
    if (this.#rows.size < mostKept || this.#rows.has(key)) this.#rows.set(key, row);
    else this.dropped += 1;
  }
}

function rowKey(policy: string, key: string): string {
  return `${policy} ${key}`;
}

function wallOf(mono: Millis, now: Instant): number {
  return now.wall + mono - now.mono;
}
