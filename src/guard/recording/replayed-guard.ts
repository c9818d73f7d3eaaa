import type { Instant, Millis } from '../../kernel/time.ts';
import type { Candidate } from '../candidate.ts';
import { clockStepBetween } from '../clock-offset.ts';
import { queryBreakerKey } from '../decision/circuit-breakers.ts';
import { createGuard, type Guard } from '../decision/create-guard.ts';
import { type Decision, decisionKey, type LateReason } from '../decision/decision.ts';
import type { GuardInput } from '../decision/input.ts';
import type { GuardOutput, Intent } from '../decision/output.ts';
import { type GuardState, withNodeView } from '../decision/state.ts';
import type { GuardSettings } from '../policy.ts';
import type { RecordingEvent, RecordingHeader } from './format.ts';
import { recordedListBody } from './replay-adapter.ts';
import { NodeListCounter, ReplayResults } from './replay-results.ts';

type Listed = RecordingEvent & { readonly event: 'listed' };

/** Circuit breaker that opened in a replay; it stays open. */
export interface OpenedBreaker {
  readonly breaker: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

interface AbortedQuery {
  readonly policy: string;
  readonly node: string;
  readonly id: string;
  readonly since: Millis;
}

const emptyStoredState = {
  intents: [],
  breakers: [],
  breakerResets: {},
  abortsWithoutRelief: {},
  offsets: {},
  isPaused: false,
};

/**
 * Runs the state machine of the guard on the time of a recording. Commits succeed, an abort request is reported as done
 * without being sent, and the next recorded list is the response to any list request.
 */
export class ReplayedGuard {
  readonly results = new ReplayResults();
  readonly nodes: NodeListCounter;
  readonly breakers: OpenedBreaker[] = [];
  readonly #guard: Guard;
  readonly #graphs: readonly string[];
  #state: GuardState;
  #now: Instant | undefined;
  #wake: Millis = Number.POSITIVE_INFINITY;
  /** Aborted queries that are still listed, by key. */
  readonly #abortedQueries = new Map<string, AbortedQuery>();

  constructor(settings: GuardSettings, { cluster, nodes, instances, interval, graphs }: RecordingHeader) {
    this.#guard = createGuard(settings, { cluster, nodes, instances, interval });
    this.#state = this.#guard.initial;
    this.#graphs = graphs;
    this.nodes = new NodeListCounter(nodes);
  }

  /** Replays the next event. */
  feed(event: RecordingEvent): void {
    if (this.#now === undefined) this.#begin(event.at);
    this.#advanceTo(event.at);
    this.nodes.countEvent(event);
    if (event.event === 'listed') this.#feedList(event);
    else this.#step(inputOf(event), event.at);
  }

  #begin(at: Instant): void {
    this.#step({ kind: 'graphs', names: this.#graphs }, at);
    this.#step({ kind: 'restored', kept: emptyStoredState }, at);
  }

  /** Runs everything that was due between two events at its own time, unless the clock was set in between. */
  #advanceTo({ wall, mono }: Instant): void {
    for (let now = this.#now; now !== undefined && this.#wake < mono; now = this.#now) {
      const step = clockStepBetween(now, { wall, mono });
      if (step !== 0) break;
      const at = Math.max(this.#wake, now.mono);
      this.#step({ kind: 'tick' }, { wall: now.wall + at - now.mono, mono: at });
    }
  }

  /** Replays a list. Its recorded request time replaces the one that the guard would choose. */
  #feedList({ node, started, at, list, list_time: listTime }: Listed): void {
    const view = this.#state.views.get(node);
    if (view !== undefined) {
      const pace = { ...view.pace, requestedAt: started.mono, isRequesting: true };
      this.#state = withNodeView(this.#state, node, { ...view, pace });
    }
    const input = { kind: 'listed', node, body: recordedListBody(list), times: { started, received: at } } as const;
    this.#step({ ...input, connection: '', ...(listTime !== undefined && { listTime }) }, at);
    this.#trackAborted(node, at);
  }

  #step(input: GuardInput, now: Instant): void {
    const before = this.#state;
    const { state, outputs } = this.#guard.step(this.#state, input, now);
    this.#state = state;
    this.#now = now;
    this.#wake = Number.POSITIVE_INFINITY;
    for (const output of outputs) this.#recordOutput(output, before, now);
    this.#recordBlockedMatches(now);
    for (const answer of outputs.flatMap(responsesTo)) this.#step(answer, now);
  }

  #recordOutput(output: GuardOutput, before: GuardState, now: Instant): void {
    const { results } = this;
    if (output.kind === 'wake') this.#wake = output.at;
    else if (output.kind === 'began') results.addDecision(output.decision, this.#candidateOf(output.decision), now);
    else if (output.kind === 'late' && isHold(output.reason)) {
      results.update(output.policy, output.key, { reason: output.reason });
    } else if (output.kind === 'cancelled') this.#recordCancelled(output, before, now);
    else if (output.kind === 'would_abort') this.#recordAbort(output.intent, 'would_abort', now);
    else if (output.kind === 'intent') this.#recordAbort(output.intent, 'aborted', now);
    else if (output.kind === 'breaker') this.breakers.push({ breaker: output.breaker, at: now.wall });
    else this.nodes.countOutput(output);
  }

  /** Ends the replay. A circuit breaker holds overdue decisions; other unfinished decisions stay open. */
  finish(): void {
    const now = this.#now;
    if (now === undefined) return;
    for (const { key, policy, ...decision } of this.#state.decisions.values()) {
      const row = this.results.find(policy, key);
      if (row?.result !== 'open') continue;
      const reason = row.reason ?? delayBefore(decision, now.mono);
      if (reason !== undefined) this.results.update(policy, key, { result: 'held', reason, at: now.wall });
    }
  }

  #recordCancelled({ key, policy, skipReason }: Cancelled, { decisions, at }: GuardState, now: Instant): void {
    const decision = decisions.get(key);
    const held = this.results.find(policy, key)?.reason ?? (decision && at && delayBefore(decision, at.mono));
    const reason = skipReason === 'breaker' ? skipReason : (held ?? skipReason);
    const result = skipReason === 'breaker' || held !== undefined ? 'held' : 'over';
    this.results.update(policy, key, { result, reason, at: now.wall });
  }

  #recordAbort({ key, policy, node, id }: Intent, result: 'aborted' | 'would_abort', now: Instant): void {
    this.results.update(policy, key, { result, at: now.wall, ranOn: 0 });
    this.#abortedQueries.set(key, { policy, node, id, since: now.mono });
  }

  /** A replay sends no abort, so the recording shows how much longer the query ran. */
  #trackAborted(node: string, at: Instant): void {
    const list = this.#state.views.get(node)?.list;
    if (list?.times.received !== at) return;
    for (const [key, { policy, id, since }] of [...this.#abortedQueries].filter(([, one]) => one.node === node)) {
      if (list.ids.has(id)) this.results.update(policy, key, { ranOn: at.mono - since });
      else this.#abortedQueries.delete(key);
    }
  }

  /** Records the matches that an open breaker blocks. A policy breaker never opens, because relief is not evaluated. */
  #recordBlockedMatches(now: Instant): void {
    const { breakers, matches } = this.#state;
    if (breakers.open.size === 0) return;
    for (const match of matches.filter(({ owns, mode }) => owns && mode === 'enforce')) {
      const { node, observation } = match.candidate;
      if (breakers.open.has(queryBreakerKey(observation)))
        this.results.addBlockedByBreaker(match, decisionKey({ node, ...observation }), now);
    }
  }

  #candidateOf({ target: { node, id } }: Decision): Candidate | undefined {
    return this.#state.views.get(node)?.list?.candidates.get(id);
  }
}

type Cancelled = Extract<GuardOutput, { kind: 'cancelled' }>;

/** Returns the responses of the node or the store to an output. */
function responsesTo(output: GuardOutput): readonly GuardInput[] {
  if (output.kind === 'intent') return [{ kind: 'committed', key: output.intent.key, isOnDisk: true }];
  if (output.kind !== 'abort') return [];
  const { key, id } = output.order;
  return [
    { kind: 'sending', key },
    { kind: 'answered', key, answer: { kind: 'accepted', aborted: [id] } },
  ];
}

function inputOf(event: Exclude<RecordingEvent, Listed>): GuardInput {
  if (event.event === 'unlisted') {
    const { node, skip_reason: skipReason, list_time: listTime } = event;
    const known = { ...(skipReason !== undefined && { skipReason }), ...(listTime !== undefined && { listTime }) };
    return { kind: 'unlisted', node, ...known };
  }
  if (event.event === 'graphs') return { kind: 'graphs', names: event.names };
  const { node, source, value, at, age = 0, interval } = event;
  return { kind: 'gate_value', pressure: { node, source, value, at: at.mono, collectedAt: at.mono - age, interval } };
}

/** Whether the reason prevented the abort. A late list does not count: the recording determines the times of the lists. */
function isHold(reason: LateReason): boolean {
  return reason !== 'reserve' && reason !== 'bucket' && reason !== 'list';
}

/** Returns the reason for an overdue decision without a reported reason: an open circuit breaker. */
function delayBefore({ phase, due }: Pick<Decision, 'phase' | 'due'>, at: Millis): 'breaker' | undefined {
  return phase === 'grace' && due <= at ? 'breaker' : undefined;
}
