import type { Instant, Millis } from '../../kernel/time.ts';
import { ageAt, type Candidate } from '../candidate.ts';
import type { Decision, LateReason, SkipReason } from '../decision/decision.ts';
import type { GuardOutput } from '../decision/output.ts';
import type { Match } from '../matcher.ts';
import type { Mode } from '../policy.ts';
import type { RecordingEvent } from './format.ts';

/** What came of a match in a replay. */
export type ReplayResult =
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
export type ReplayReason = LateReason | SkipReason;

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
  readonly verdict: ReplayResult;
  /** When that was known. */
  readonly at: number;
  /** What held it, also where it came through in the end; or why it was over. */
  readonly reason?: ReplayReason;
  /** Time for which the recording lists the query after its replayed abort. */
  readonly ranOn?: Millis;
}

/** More are counted, and not kept one by one. */
const maxKept = 10_000;

/** Keeps what came of each match. */
export class ReplayResults {
  /** By policy and key, in the order in which they began. */
  readonly #rows = new Map<string, ReplayedDecision>();
  /** How many could not be kept. */
  dropped = 0;

  get rows(): readonly ReplayedDecision[] {
    return [...this.#rows.values()];
  }

  /** A decision began; `candidate` is what it is about. */
  addDecision(decision: Decision, candidate: Candidate | undefined, now: Instant): void {
    const { target, policy, mode, matchedAt, due } = decision;
    const { node, graph, query, id } = target;
    const granted = candidate?.observation.grantedTimeout;
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
      verdict: 'open',
      at: now.wall,
    });
  }

  /** A breaker keeps this match from ever beginning. */
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
    this.update(policy.name, key, { verdict: 'held', reason: 'breaker', at: now.wall });
  }

  /** Something became of a decision. */
  update(
    policy: string,
    key: string,
    changes: Partial<Pick<ReplayedDecision, 'verdict' | 'reason' | 'at' | 'ranOn'>>,
  ): void {
    const row = this.find(policy, key);
    if (row !== undefined) this.#rows.set(rowKey(policy, key), { ...row, ...changes });
  }

  /** What is known of a decision. */
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

/** What a replay says of the lists of one node. */
export interface NodeListCounts {
  readonly node: string;
  /** That came, good and void. */
  readonly lists: number;
  readonly failed: number;
  /** Lists that said nothing, by reason. */
  readonly voids: Readonly<Record<string, number>>;
  /** Number of skipped entries, by reason. */
  readonly leftOut: Readonly<Record<string, number>>;
  /** When the guard first knew for sure which instance the node is, ms since the epoch; undefined where it never did. */
  readonly coveredAt?: number;
}

/** Counts what lists were good for. */
export class NodeListCounter {
  readonly #counts: Map<string, NodeListCounts>;
  #at = 0;

  constructor(nodes: readonly string[]) {
    this.#counts = new Map(nodes.map((node) => [node, { node, lists: 0, failed: 0, voids: {}, leftOut: {} }]));
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

  /** What the guard says of lists and nodes; anything else is passed over. */
  countOutput(output: GuardOutput): void {
    if (output.kind === 'covered' && output.isCovered) {
      this.#update(output.node, ({ coveredAt = this.#at }) => ({ coveredAt }));
    }
    if (output.kind !== 'void' || output.scope === 'all') return;
    const { node, reason, scope } = output;
    if (scope === 'entry') this.#update(node, ({ leftOut }) => ({ leftOut: increment(leftOut, reason) }));
    else if (reason !== 'failed') this.#update(node, ({ voids }) => ({ voids: increment(voids, reason) }));
  }

  #update(node: string, changes: (note: NodeListCounts) => Partial<NodeListCounts>): void {
    const note = this.#counts.get(node);
    if (note !== undefined) this.#counts.set(node, { ...note, ...changes(note) });
  }
}

function increment(counts: Readonly<Record<string, number>>, reason: string): Readonly<Record<string, number>> {
  return { ...counts, [reason]: (counts[reason] ?? 0) + 1 };
}
