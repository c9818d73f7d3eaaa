import type { Instant, Millis } from '../../kernel/time.ts';
import { ageAt, type Candidate } from '../candidate.ts';
import type { Decision, LateReason, SkipReason } from '../decision/decision.ts';
import type { GuardOutput } from '../decision/output.ts';
import type { Match } from '../matcher.ts';
import type { Mode } from '../policy.ts';
import type { RecordingEvent } from './format.ts';

/** Result of a match in a replay. */
export type ReplayResult =
  /** An enforcing policy would have sent the abort request. */
  | 'aborted'
  | 'would_abort'
  /** A budget, a cooldown or a circuit breaker prevented the abort until the end. */
  | 'held'
  /** The query ended or stopped matching before the abort. */
  | 'over'
  /** The recording ended before the result was known. */
  | 'open';

/** Reason that delayed or ended a decision. */
export type ReplayReason = LateReason | SkipReason;

/** One match of a query and a policy. Times are ms since the epoch. */
export interface ReplayedDecision {
  readonly policy: string;
  readonly mode: Mode;
  readonly node: string;
  readonly graph: string;
  readonly query: string;
  readonly id: string;
  /** Match time and earliest abort time. */
  readonly matchedAt: number;
  readonly due: number;
  /** Age of the query at the earliest abort time. */
  readonly age: Millis;
  readonly grantedTimeout?: Millis;
  readonly result: ReplayResult;
  /** Time of the result. */
  readonly at: number;
  /** Reason that delayed the decision, even if it succeeded later, or that ended it. */
  readonly reason?: ReplayReason;
  /** Time for which the recording lists the query after its replayed abort. */
  readonly ranOn?: Millis;
}

/** Maximum number of decisions that are kept; further ones are only counted. */
const maxKept = 10_000;

/** Collects the result of each match. */
export class ReplayResults {
  /** Decisions by policy and key, in the order of their start. */
  readonly #rows = new Map<string, ReplayedDecision>();
  /** Number of decisions that were not kept. */
  dropped = 0;

  get rows(): readonly ReplayedDecision[] {
    return [...this.#rows.values()];
  }

  /** Adds a decision about the query `candidate`. */
  addDecision(decision: Decision, candidate: Candidate | undefined, now: Instant): void {
    const { target, policy, mode, matchedAt, due } = decision;
    const { node, graph, query, id } = target;
    const granted = candidate?.grantedTimeout?.most;
    this.#put(rowKey(policy, decision.key), {
      policy,
      mode,
      node,
      graph,
      query,
      id,
      matchedAt: toWallTime(matchedAt, now),
      due: toWallTime(due, now),
      age: candidate === undefined ? 0 : ageAt(candidate, due).least,
      ...(granted === undefined ? {} : { grantedTimeout: granted }),
      result: 'open',
      at: now.wall,
    });
  }

  /** Adds a match that starts no decision because a circuit breaker is open. */
  addBlockedByBreaker({ candidate, policy, mode, since }: Match, key: string, now: Instant): void {
    if (this.#rows.has(rowKey(policy.name, key))) return;
    const { id, startTime, graph, query } = candidate.observation;
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
    this.addDecision(decision, candidate, now);
    this.update(policy.name, key, { result: 'held', reason: 'breaker', at: now.wall });
  }

  /** Updates the result of a decision. */
  update(
    policy: string,
    key: string,
    changes: Partial<Pick<ReplayedDecision, 'result' | 'reason' | 'at' | 'ranOn'>>,
  ): void {
    const row = this.find(policy, key);
    if (row !== undefined) this.#rows.set(rowKey(policy, key), { ...row, ...changes });
  }

  /** Returns a decision; undefined if it is not kept. */
  find(policy: string, key: string): ReplayedDecision | undefined {
    return this.#rows.get(rowKey(policy, key));
  }

  #put(key: string, row: ReplayedDecision): void {
    if (this.#rows.size < maxKept || this.#rows.has(key)) this.#rows.set(key, row);
    else this.dropped += 1;
  }
}

function rowKey(policy: string, key: string): string {
  return `${policy} ${key}`;
}

function toWallTime(mono: Millis, now: Instant): number {
  return now.wall + mono - now.mono;
}

/** Numbers of the replayed lists of one node. */
export interface NodeListCounts {
  readonly node: string;
  /** Number of received lists, valid or rejected. */
  readonly lists: number;
  readonly failed: number;
  /** Number of rejected lists, by reason. */
  readonly rejected: Readonly<Record<string, number>>;
  /** Number of skipped entries, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  /** Time at which the guard first covered the node, ms since the epoch; absent if it never did. */
  readonly coveredAt?: number;
}

/** Counts valid and rejected lists by node. */
export class NodeListCounter {
  readonly #counts: Map<string, NodeListCounts>;
  #at = 0;

  constructor(nodes: readonly string[]) {
    this.#counts = new Map(nodes.map((node) => [node, { node, lists: 0, failed: 0, rejected: {}, skipped: {} }]));
  }

  get all(): readonly NodeListCounts[] {
    return [...this.#counts.values()];
  }

  /** Counts an event of the recording, before its evaluation. */
  countEvent(event: RecordingEvent): void {
    this.#at = event.at.wall;
    if (event.event === 'listed') this.#update(event.node, ({ lists }) => ({ lists: lists + 1 }));
    if (event.event === 'unlisted') this.#update(event.node, ({ failed }) => ({ failed: failed + 1 }));
  }

  /** Counts an output of the guard about lists and nodes; ignores other outputs. */
  countOutput(output: GuardOutput): void {
    if (output.kind === 'covered' && output.isCovered) {
      this.#update(output.node, ({ coveredAt = this.#at }) => ({ coveredAt }));
    }
    if (output.kind !== 'skipped' || output.scope === 'all') return;
    const { node, reason, scope } = output;
    if (scope === 'entry') this.#update(node, ({ skipped }) => ({ skipped: increment(skipped, reason) }));
    else if (reason !== 'failed') this.#update(node, ({ rejected }) => ({ rejected: increment(rejected, reason) }));
  }

  #update(node: string, changes: (counts: NodeListCounts) => Partial<NodeListCounts>): void {
    const counts = this.#counts.get(node);
    if (counts !== undefined) this.#counts.set(node, { ...counts, ...changes(counts) });
  }
}

function increment(counts: Readonly<Record<string, number>>, reason: string): Readonly<Record<string, number>> {
  return { ...counts, [reason]: (counts[reason] ?? 0) + 1 };
}
