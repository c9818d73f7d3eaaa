import { type RemainingBudget, remainingBudgets } from '../../guard/decision/budgets.ts';
import {
  createGuard,
  type Guard,
  hasAbortsInFlight,
  reconfigureGuard,
  targetsNoMoreQueries,
} from '../../guard/decision/create-guard.ts';
import type { AbortResponse } from '../../guard/decision/decision.ts';
import type { GuardInput } from '../../guard/decision/input.ts';
import type { ListPurpose } from '../../guard/decision/list-rate-limit.ts';
import type { AbortCommand, GuardOutput } from '../../guard/decision/output.ts';
import type { GuardState } from '../../guard/decision/state.ts';
import { effectiveMode, escalationReceivers, type GuardSettings, policiesForCluster } from '../../guard/policy.ts';
import { withDeadline } from '../../kernel/deadline.ts';
import { deepEqual } from '../../kernel/deep-equal.ts';
import { err, type Result } from '../../kernel/result.ts';
import type { Store } from '../../kernel/store.ts';
import type { Instant, Millis } from '../../kernel/time.ts';
import type { AbortView, BreakerView, GuardView } from '../../model/guard.ts';
import type { ClusterGuardSettings } from './cluster-guard-settings.ts';
import type { DecisionView, ManualAbort, Refusal } from './guard-control.ts';
import type { GuardCounters } from './guard-counters.ts';
import { GuardStateStore } from './guard-persistence.ts';
import { GuardReadiness, notReadyViews, type PolicyReadiness } from './guard-readiness.ts';
import { GuardRecorder, type GuardRecorderContext } from './guard-recorder.ts';
import { ManualAborts, notGuardedMessage } from './manual-aborts.ts';
import { type GuardNodeAccess, notPolled, pauseUnknown } from './node-access.ts';

/** Dependencies of a {@link ClusterGuard}. */
export interface ClusterGuardContext extends GuardRecorderContext {
  readonly store: Store;
  /** Undefined until the cluster is polled. */
  readonly nodeAccess: () => GuardNodeAccess | undefined;
  /** Whether rows can be written, and the rows of earlier runs are loaded. */
  readonly isAuditable: () => boolean;
  /** Checks the pause file; returns whether its presence is known. */
  readonly checkPause: () => Promise<boolean>;
  /** Pauses the guard of this cluster. */
  readonly pause: (reason: 'unexpected_id' | 'other_guard') => void;
}

/** Timeout of an abort request: one that hangs holds a socket that lists need. */
const abortResponseTimeout: Millis = 10_000;

/** Guard of one cluster: feeds the decision machine, and performs the lists, wake-ups and aborts that it requests. */
export class ClusterGuard {
  readonly #context: ClusterGuardContext;
  readonly #recorder: GuardRecorder;
  readonly #stateStore: GuardStateStore;
  readonly #manualAborts: ManualAborts;
  readonly #readiness = new GuardReadiness();
  #settings: ClusterGuardSettings;
  #guard: Guard;
  #state: GuardState;
  /** Number of poll results with or without a list, by node. */
  readonly #receivedLists = new Map<string, number>();
  /** Aborts and wake-ups in flight; the poller ends its own lists. */
  readonly #pending = new Set<Promise<void>>();
  readonly #stopped = new AbortController();
  #wake = { at: Number.NaN, timer: new AbortController() };

  constructor(
    settings: ClusterGuardSettings,
    context: ClusterGuardContext,
    recorder = new GuardRecorder(settings.cluster, context),
  ) {
    this.#settings = settings;
    this.#context = context;
    this.#recorder = recorder;
    this.#stateStore = new GuardStateStore(settings.cluster, context);
    this.#manualAborts = new ManualAborts((key) => this.#recorder.history.abort(key), context.clock);
    this.#guard = createGuard(settings.guard, settings);
    this.#state = this.#guard.initial;
  }

  get policies(): GuardSettings['policies'] {
    return policiesForCluster(this.#settings.guard, this.#settings.cluster);
  }

  get settings(): ClusterGuardSettings {
    return this.#settings;
  }

  /** The guard with the current settings, for reads of its state. */
  get guard(): Pick<Guard, 'holdOf' | 'explain'> {
    return this.#guard;
  }

  /** State after the latest step. */
  get state(): GuardState {
    return this.#state;
  }

  get counters(): GuardCounters {
    return this.#recorder.counters;
  }

  /** Whether a policy of this cluster enforces. */
  get isEnforcing(): boolean {
    return this.policies.some((policy) => effectiveMode(this.#settings.guard, policy) === 'enforce');
  }

  /** Applies other settings from the next step on, and keeps the state. */
  reconfigure(settings: ClusterGuardSettings): void {
    if (deepEqual(settings, this.#settings)) return;
    const isNoMore = targetsNoMoreQueries(this.#settings.guard, settings.guard, deepEqual);
    this.#settings = settings;
    this.#guard = createGuard(settings.guard, settings);
    this.#state = reconfigureGuard(this.#state, this.#guard, isNoMore);
    this.#recorder.history.retainNodes(settings.nodes);
  }

  /** Loads the state of an earlier run; the guard decides nothing before that. A second call adds what was unknown. */
  async start(isPaused: () => boolean, signal: AbortSignal): Promise<void> {
    this.handle({ kind: 'paused', isPaused: isPaused() });
    this.#updateAuditState();
    const kept = await this.#stateStore.load(AbortSignal.any([signal, this.#stopped.signal]));
    if (kept === undefined) return;
    this.#recorder.history.restore(kept.aborts, kept.known.breakerViews);
    this.handle({ kind: 'restored', kept: kept.known });
    this.handle({ kind: 'paused', isPaused: isPaused() });
  }

  /** Receives the list of a poll result, or its failure, whether the guard requested the list or not. */
  receiveList(input: Extract<GuardInput, { readonly kind: 'listed' | 'unlisted' }>): void {
    this.#receivedLists.set(input.node, (this.#receivedLists.get(input.node) ?? 0) + 1);
    this.handle(input);
  }

  /** Runs one step of the decision machine, and starts everything that it requests. */
  handle(input: GuardInput): void {
    if (this.#stopped.signal.aborted) return;
    const { state, outputs } = this.#guard.step(this.#state, input, this.#context.clock.now());
    this.#state = state;
    for (const output of outputs) this.#perform(output);
    this.#recorder.record({
      input,
      outputs,
      settings: this.#settings,
      hasPolicies: this.policies.length > 0,
      state: () => this.#state,
      onCommit: (key, isOnDisk) => this.handle({ kind: 'committed', key, isOnDisk }),
    });
    this.#manualAborts.record(outputs);
    for (const output of outputs) if (output.kind === 'pause') this.#context.pause(output.reason);
  }

  /** Closes a circuit breaker; false if it is not open. */
  reset(breaker: string): boolean {
    if (!this.#state.breakers.open.has(breaker)) return false;
    this.handle({ kind: 'reset', breaker });
    return true;
  }

  /** Aborts one query for an operator; resolves with the outcome, or with the reason why no request was sent. */
  abort(request: ManualAbort): Promise<Result<AbortView, Refusal>> {
    const { cluster, ...manual } = request;
    const { node, id, by, reason } = manual;
    if (!this.#settings.nodes.includes(node)) {
      return Promise.resolve(err({ kind: 'unknown_node', message: `cluster '${cluster}' has no node '${node}'` }));
    }
    if (!this.#settings.isGuarded) return Promise.resolve(err({ kind: 'refused', message: notGuardedMessage }));
    const answer = this.#manualAborts.wait({ node, id, manual: { by, reason } });
    this.handle({ kind: 'manual', ...manual });
    return answer;
  }

  /** Excludes nodes that an earlier cluster guards. */
  setSharedNodes(nodes: readonly string[]): void {
    const { sharedNodes } = this.#state;
    if (nodes.length === sharedNodes.size && nodes.every((node) => sharedNodes.has(node))) return;
    if (nodes.length > 0) this.#context.log.error('nodes guarded in another cluster', { nodes });
    this.handle({ kind: 'shared', nodes });
  }

  /** Updates nodes, graphs and stored clock offsets. */
  tick(now: Instant): void {
    const access = this.#context.nodeAccess();
    if (access !== undefined) this.#updateNodes(access, now);
    this.#updateAuditState();
    this.handle({ kind: 'tick' });
    this.counters.countMatches(this.#state);
    if (this.#state.status.isRestored) this.#stateStore.saveClockOffsets(this.#state, now);
  }

  /** Facts for the alert rules. */
  view(now: Instant): GuardView {
    const { isRestored } = this.#state.status;
    const notReady = notReadyViews(this.readiness(now));
    const escalation = escalationReceivers(this.policies);
    return { ...this.#recorder.history.view(now), isRestored, isEnforcing: this.isEnforcing, escalation, notReady };
  }

  /** Whether each policy can abort queries on each node, and why not. */
  readiness(now: Instant): readonly PolicyReadiness[] {
    return this.#readiness.report(this, now, this.#context.nodeAccess()?.lacksCredentials() ?? false);
  }

  /** Remaining budgets. */
  budgets({ mono }: Instant): readonly RemainingBudget[] {
    return remainingBudgets(this.settings.guard.budgets, this.#state.attempts, this.settings.nodes, mono);
  }

  /** Open circuit breakers. */
  breakers(): readonly BreakerView[] {
    return this.#recorder.history.breakers();
  }

  /** Decisions in progress and past ones, latest first. */
  decisions(now: Instant): readonly DecisionView[] {
    return this.#recorder.history.decisions(this.#state, now);
  }

  /** Cancels decisions without an intent, and waits for aborts in flight until `signal` aborts. */
  async stop(signal: AbortSignal): Promise<void> {
    this.handle({ kind: 'stop' });
    while (hasAbortsInFlight(this.#state) && !signal.aborted) await this.#context.clock.sleep(20, signal);
    this.#stopped.abort();
    this.#wake.timer.abort();
    await Promise.all(this.#pending);
    this.#manualAborts.close();
  }

  #perform(output: GuardOutput): void {
    if (output.kind === 'wake') this.#track(this.#wakeAt(output.at));
    else if (output.kind === 'list') void this.#requestList(output.node, output.purpose);
    else if (output.kind === 'abort') this.#track(this.#abort(output.order));
  }

  /** The list itself arrives as a poll result; a request that brings none counts as a missing list. */
  async #requestList(node: string, purpose: ListPurpose): Promise<void> {
    const before = this.#receivedLists.get(node);
    const isUrgent = purpose === 'fresh' || purpose === 'verify';
    // Without policies, no list is needed beyond those that the collector polls anyway.
    const isWanted = isUrgent || this.policies.length > 0;
    const isRequested = isWanted && ((await this.#context.nodeAccess()?.requestList(node, isUrgent)) ?? false);
    if (!isRequested) this.handle({ kind: 'list_not_sent', node });
    else if (this.#receivedLists.get(node) === before) this.handle({ kind: 'unlisted', node });
  }

  async #abort(order: AbortCommand): Promise<void> {
    const { clock } = this.#context;
    const send = (signal: AbortSignal) => this.#sendAbort(order, signal);
    const answer = await withDeadline(clock, abortResponseTimeout, send, this.#stopped.signal);
    this.handle({ kind: 'answered', key: order.key, answer });
  }

  async #sendAbort(order: AbortCommand, signal: AbortSignal): Promise<AbortResponse> {
    const { nodeAccess, log, checkPause } = this.#context;
    const abort = async () => (await nodeAccess()?.abort(order, () => this.#mayWrite(order), signal)) ?? notPolled;
    const reply = (await checkPause()) ? await abort() : pauseUnknown;
    if (reply.kind === 'accepted') return reply;
    log.warn('abort request failed', { node: order.node, id: order.id, answer: reply.kind, error: reply.reason });
    return reply;
  }

  /** The decision machine checks everything again immediately before the request is written. */
  #mayWrite({ key }: AbortCommand): boolean {
    this.handle({ kind: 'sending', key });
    return this.#state.decisions.get(key)?.phase === 'sent';
  }

  #updateAuditState(): void {
    const isWritable = this.#context.isAuditable();
    if (isWritable !== this.#state.status.isAuditable) this.handle({ kind: 'audit', isWritable });
  }

  #updateNodes(access: GuardNodeAccess, now: Instant): void {
    const nodes = access.nodes();
    const instances = nodes.flatMap(({ name, instance }) => (instance === undefined ? [] : [[name, instance]]));
    this.reconfigure({
      ...this.#settings,
      nodes: nodes.map(({ name }) => name),
      instances: Object.fromEntries(instances),
    });
    this.#stateStore.refreshGraphs(access, now, (graphs) => this.handle({ kind: 'graphs', names: graphs }));
  }

  #track(work: Promise<void>): void {
    const ended: Promise<void> = work.finally(() => this.#pending.delete(ended));
    this.#pending.add(ended);
  }

  /** Schedules the next wake-up, which replaces the previous one; most steps request the same time. */
  async #wakeAt(at: Millis): Promise<void> {
    if (at === this.#wake.at) return;
    const { clock } = this.#context;
    const timer = new AbortController();
    this.#wake.timer.abort('replaced'); // Without a reason it would create an error.
    this.#wake = { at, timer };
    await clock.sleep(at - clock.now().mono, timer.signal);
    if (timer.signal.aborted) return;
    this.#wake.at = Number.NaN;
    this.handle({ kind: 'tick' });
  }
}
