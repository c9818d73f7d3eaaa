import type { Instant, Millis } from '../../kernel/time.ts';
import type { Candidate } from '../candidate.ts';
import { stepBetween } from '../clock-step.ts';
import { queryBreaker } from '../decision/breakers.ts';
import { createGuard, type Guard } from '../decision/create-guard.ts';
import { type Decision, decisionKey, type LateReason } from '../decision/decision.ts';
import type { GuardInput } from '../decision/input.ts';
import type { GuardOutput, Intent } from '../decision/output.ts';
import { type GuardState, withView } from '../decision/state.ts';
import type { GuardSettings } from '../policy.ts';
import { bodyOf } from './body.ts';
import type { TapeEvent, TapeHeader } from './format.ts';
import { NodeNotes } from './node-notes.ts';
import { Tally } from './tally.ts';

type Listed = TapeEvent & { readonly event: 'listed' };

/** A breaker that opened in a replay, where nobody closes it. */
export interface OpenedBreaker {
  readonly breaker: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

interface Running {
  readonly policy: string;
  readonly node: string;
  readonly id: string;
  readonly since: Millis;
}

const nothingKept = { intents: [], breakers: [], reliefless: {}, offsets: {}, isPaused: false };

/**
 * The guard's own machine on the time of a recording. It plays the world plainly: rows are written, a call to abort is
 * answered as done and goes nowhere, and whatever list is asked for, the next one that was recorded is the answer.
 */
export class ReplayedGuard {
  readonly tally = new Tally();
  readonly nodes: NodeNotes;
  readonly breakers: OpenedBreaker[] = [];
  readonly #guard: Guard;
  readonly #graphs: readonly string[];
  #state: GuardState;
  #now: Instant | undefined;
  #wake: Millis = Number.POSITIVE_INFINITY;
  /** What was aborted and is still listed, by key. */
  readonly #running = new Map<string, Running>();

  constructor(settings: GuardSettings, { cluster, nodes, instances, interval, graphs }: TapeHeader) {
    this.#guard = createGuard(settings, { cluster, nodes, instances, interval });
    this.#state = this.#guard.initial;
    this.#graphs = graphs;
    this.nodes = new NodeNotes(nodes);
  }

  /** What was recorded next. */
  take(event: TapeEvent): void {
    if (this.#now === undefined) this.#begin(event.at);
    this.#beatUntil(event.at);
    this.nodes.heard(event);
    if (event.event === 'listed') this.#listed(event);
    else this.#step(inputOf(event), event.at);
  }

  #begin(at: Instant): void {
    this.#step({ kind: 'graphs', names: this.#graphs }, at);
    this.#step({ kind: 'restored', kept: nothingKept }, at);
  }

  /** Between two lines the time went by: what was due then is done then. Not so where the clock was set. */
  #beatUntil({ wall, mono }: Instant): void {
    for (let now = this.#now; now !== undefined && this.#wake < mono; now = this.#now) {
      const step = stepBetween(now, { wall, mono });
      if (step !== 0) break;
      const at = Math.max(this.#wake, now.mono);
      this.#step({ kind: 'beat' }, { wall: now.wall + at - now.mono, mono: at });
    }
  }

  /** The lists of a recording have a pace of their own: this one was asked for when it says so. */
  #listed({ node, started, at, address, list }: Listed): void {
    const view = this.#state.views.get(node);
    if (view !== undefined) {
      const pace = { ...view.pace, askedAt: started.mono, isAsking: true };
      this.#state = withView(this.#state, node, { ...view, pace });
    }
    this.#step({ kind: 'listed', node, body: bodyOf(list), times: { started, received: at }, address }, at);
    this.#followUp(node, at);
  }

  #step(input: GuardInput, now: Instant): void {
    const before = this.#state;
    const { state, outputs } = this.#guard.step(this.#state, input, now);
    this.#state = state;
    this.#now = now;
    this.#wake = Number.POSITIVE_INFINITY;
    for (const output of outputs) this.#note(output, before, now);
    this.#noteBroken(now);
    for (const answer of outputs.flatMap(answerTo)) this.#step(answer, now);
  }

  #note(output: GuardOutput, before: GuardState, now: Instant): void {
    const { tally } = this;
    if (output.kind === 'wake') this.#wake = output.at;
    else if (output.kind === 'began') tally.began(output.decision, this.#candidateOf(output.decision), now);
    else if (output.kind === 'late' && isHold(output.reason)) {
      tally.note(output.policy, output.key, { reason: output.reason });
    } else if (output.kind === 'cancelled') this.#cancelled(output, before, now);
    else if (output.kind === 'would_abort') this.#acted(output.intent, 'would_abort', now);
    else if (output.kind === 'intent') this.#acted(output.intent, 'aborted', now);
    else if (output.kind === 'breaker') this.breakers.push({ breaker: output.breaker, at: now.wall });
    else this.nodes.told(output);
  }

  /** There are no more lines: what is still under way stays so. */
  finish(): void {
    const now = this.#now;
    if (now === undefined) return;
    for (const { key, policy, ...decision } of this.#state.decisions.values()) {
      const row = this.tally.of(policy, key);
      if (row?.verdict !== 'open') continue;
      const reason = row.reason ?? heldBefore(decision, now.mono);
      if (reason !== undefined) this.tally.note(policy, key, { verdict: 'held', reason, at: now.wall });
    }
  }

  #cancelled({ key, policy, doubt }: Cancelled, { decisions, at }: GuardState, now: Instant): void {
    const decision = decisions.get(key);
    const held = this.tally.of(policy, key)?.reason ?? (decision && at && heldBefore(decision, at.mono));
    const reason = doubt === 'breaker' ? doubt : (held ?? doubt);
    const verdict = doubt === 'breaker' || held !== undefined ? 'held' : 'over';
    this.tally.note(policy, key, { verdict, reason, at: now.wall });
  }

  #acted({ key, policy, node, id }: Intent, verdict: 'aborted' | 'would_abort', now: Instant): void {
    this.tally.note(policy, key, { verdict, at: now.wall, ranOn: 0 });
    this.#running.set(key, { policy, node, id, since: now.mono });
  }

  /** Nothing was sent, so the recording tells how much longer such a query takes. */
  #followUp(node: string, at: Instant): void {
    const list = this.#state.views.get(node)?.list;
    if (list?.times.received !== at) return;
    for (const [key, { policy, id, since }] of [...this.#running].filter(([, one]) => one.node === node)) {
      if (list.ids.has(id)) this.tally.note(policy, key, { ranOn: at.mono - since });
      else this.#running.delete(key);
    }
  }

  /** What an open breaker keeps from beginning leaves no other trace. That of a policy never opens: relief is not judged. */
  #noteBroken(now: Instant): void {
    const { breakers, matches } = this.#state;
    if (breakers.open.size === 0) return;
    for (const match of matches.filter(({ owns, mode }) => owns && mode === 'enforce')) {
      const { node, sighting } = match.candidate;
      if (breakers.open.has(queryBreaker(sighting))) this.tally.broken(match, decisionKey({ node, ...sighting }), now);
    }
  }

  #candidateOf({ target: { node, id } }: Decision): Candidate | undefined {
    return this.#state.views.get(node)?.list?.candidates.get(id);
  }
}

type Cancelled = Extract<GuardOutput, { kind: 'cancelled' }>;

/** What a node, or the disk, would have said to this. */
function answerTo(output: GuardOutput): readonly GuardInput[] {
  if (output.kind === 'intent') return [{ kind: 'committed', key: output.intent.key, isOnDisk: true }];
  if (output.kind !== 'abort') return [];
  const { key, id } = output.order;
  return [{ kind: 'answered', key, answer: { kind: 'taken', aborted: [id] } }];
}

function inputOf(event: Exclude<TapeEvent, Listed>): GuardInput {
  if (event.event === 'unlisted') {
    const { node, doubt } = event;
    return { kind: 'unlisted', node, ...(doubt === undefined ? {} : { doubt }) };
  }
  if (event.event === 'graphs') return { kind: 'graphs', names: event.names };
  const { node, source, value, at, interval } = event;
  return { kind: 'pressed', pressure: { node, source, value, at: at.mono, interval } };
}

/** These stand in its way; that a list was late is the way of recordings. */
function isHold(reason: LateReason): boolean {
  return reason !== 'reserve' && reason !== 'bucket' && reason !== 'list';
}

/** One that had its time before, and waits without having said why, waits for a breaker. */
function heldBefore({ phase, due }: Pick<Decision, 'phase' | 'due'>, at: Millis): 'breaker' | undefined {
  return phase === 'grace' && due <= at ? 'breaker' : undefined;
}
