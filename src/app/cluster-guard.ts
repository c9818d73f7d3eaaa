import type { HeardList } from '../graphdb/overheard.ts';
import { remainingOf } from '../guard/decision/attempts.ts';
import type { AbortAnswer } from '../guard/decision/decision.ts';
import type { AbortOrder, GuardOutput } from '../guard/decision/output.ts';
import type { GuardState } from '../guard/decision/state.ts';
import type { Pressure } from '../guard/gates.ts';
import { effectiveMode } from '../guard/mode.ts';
import type { Policy } from '../guard/policy.ts';
import type { Digest } from '../kernel/digest.ts';
import type { Logger } from '../kernel/logger.ts';
import { err, type Result } from '../kernel/result.ts';
import { same } from '../kernel/same.ts';
import type { Change, Store } from '../kernel/store.ts';
import type { Clock, Instant, Millis } from '../kernel/time.ts';
import type { AbortView, BreakerView, GuardView } from '../model/guard.ts';
import { rowsOf } from './guard-book.ts';
import type { DecisionView, ManualAbort, Refusal } from './guard-control.ts';
import { type Opinion, opinionsOf } from './guard-eyes.ts';
import { GuardHistory } from './guard-history.ts';
import { logGuard } from './guard-log.ts';
import { GuardMemory } from './guard-memory.ts';
import type { GuardReach } from './guard-reach.ts';
import { GuardRun, type RunSettings } from './guard-run.ts';
import { GuardTally } from './guard-tally.ts';
import { ManualAborts } from './manual-aborts.ts';

/** What the guard of one cluster works with. */
export interface ClusterGuardContext {
  readonly clock: Clock;
  readonly log: Logger;
  readonly store: Store;
  readonly digest: Digest;
  /** Undefined as long as the cluster is not watched yet. */
  readonly reach: () => GuardReach | undefined;
  /** Stores rows with what alerting makes of them by then, as one: on disk where that is good. */
  readonly record: (changes: readonly Change[]) => Promise<Result<void, string>>;
  /** Rows can be written, beside those that earlier runs have left there. */
  readonly isAuditable: () => boolean;
  /** Tells those who look on what became of a decision, once that is stored. */
  readonly publish: (decision: DecisionView) => void;
  /** The guard of this cluster wants all of it to hold still. */
  readonly pause: () => void;
}

/** What the guard of a cluster goes by. */
export interface ClusterGuardSettings extends RunSettings {
  /** After which a list says nothing any more to those who look on. */
  readonly staleAfter: Millis;
  /** There are sockets for it. */
  readonly isGuarded: boolean;
}

/** What is of interest only to those who have policies. */
const ofLooking: ReadonlySet<GuardOutput['kind']> = new Set(['covered', 'blind', 'void']);

const unguarded =
  'nothing can be aborted there: no policy concerns the cluster (one that observes will do), and it has no abort_auth';

/** The guard of one cluster, with its books: what it decides is kept, counted, logged and told. */
export class ClusterGuard {
  readonly tally = new GuardTally();
  readonly #context: ClusterGuardContext;
  readonly #run: GuardRun;
  readonly #history: GuardHistory;
  readonly #memory: GuardMemory;
  readonly #manual: ManualAborts;
  #settings: ClusterGuardSettings;

  constructor(settings: ClusterGuardSettings, context: ClusterGuardContext) {
    this.#settings = settings;
    this.#context = context;
    this.#history = new GuardHistory(settings.cluster);
    this.#memory = new GuardMemory(settings.cluster, context);
    this.#manual = new ManualAborts((key) => this.#history.abort(key));
    this.#run = new GuardRun(settings, context.clock, {
      list: (node, isUrgent) => this.#list(node, isUrgent),
      abort: (order, signal) => this.#abort(order, signal),
      told: (outputs, run) => this.#told(outputs, run),
    });
  }

  /** The policies that concern this cluster, in their order. */
  get policies(): readonly Policy[] {
    const { cluster, guard } = this.#settings;
    return guard.policies.filter(({ clusters }) => clusters === undefined || clusters.includes(cluster));
  }

  get settings(): ClusterGuardSettings {
    return this.#settings;
  }

  get state(): GuardState {
    return this.#run.state;
  }

  /** Goes by other settings from now on. */
  become(settings: ClusterGuardSettings): void {
    if (same(settings, this.#settings)) return;
    this.#settings = settings;
    this.#run.become(settings);
    this.#history.keepNodes(settings.nodes);
  }

  /**
   * Takes up what an earlier run has left behind, as soon as that can be read; before this nothing is decided. Done again
   * it adds what was not known.
   */
  async begin(isPaused: () => boolean, signal: AbortSignal): Promise<void> {
    this.#run.take({ kind: 'paused', isPaused: isPaused() });
    this.#noteAudit();
    const kept = await this.#memory.read(signal);
    if (kept === undefined) return;
    this.#history.restore(kept.aborts, kept.known.breakerViews);
    this.#run.restore(kept.known);
    this.#run.take({ kind: 'paused', isPaused: isPaused() });
  }

  /** Takes what a node answered to the question what runs. */
  heard(list: HeardList): void {
    this.#run.heard(list);
  }

  /** Takes a reading of the pressure on a node. */
  pressed(pressure: Pressure): void {
    this.#run.pressed(pressure);
  }

  /** Holds still from now on, or goes on. */
  pause(isPaused: boolean): void {
    this.#run.take({ kind: 'paused', isPaused });
  }

  /** An operator closes a breaker. */
  reset(breaker: string): boolean {
    const isOpen = this.#run.state.breakers.open.has(breaker);
    if (isOpen) this.#run.take({ kind: 'reset', breaker });
    return isOpen;
  }

  /** An operator wants one query aborted; resolves with the outcome, or with the reason why nothing was sent. */
  abort(wish: ManualAbort): Promise<Result<AbortView, Refusal>> {
    if (!this.#settings.nodes.includes(wish.node)) {
      const message = `cluster '${wish.cluster}' has no node '${wish.node}'`;
      return Promise.resolve(err({ kind: 'unknown_node', message }));
    }
    if (!this.#settings.isGuarded) return Promise.resolve(err({ kind: 'refused', message: unguarded }));
    const { node, id, by, reason, whilePaused } = wish;
    const answer = this.#manual.wait({ node, id });
    this.#run.take({ kind: 'manual', node, id, by, reason, whilePaused });
    return answer;
  }

  /** A slow tick: nodes that came or went, graphs, what has to be kept. */
  beat(now: Instant): void {
    const reach = this.#context.reach();
    if (reach !== undefined) this.#follow(reach, now);
    this.#noteAudit();
    this.#run.take({ kind: 'beat' });
    this.tally.see(this.#run.state);
    if (this.#run.state.standing.isRestored) this.#memory.keepClocks(this.#run.state, now);
  }

  /** Who has a say in which query now. */
  opinions(now: Instant): ReadonlyMap<string, Opinion> {
    return opinionsOf(this.#run.state, now);
  }

  /** Whether a node answers for itself, by an instance that is surely its own, and lately did. */
  isCovered(node: string, now: Instant): boolean {
    const view = this.#run.state.views.get(node);
    if (view?.list === undefined || view.voids > 0 || !view.isCovered) return false;
    return now.mono - view.list.times.received.mono < this.#settings.staleAfter;
  }

  /** How many aborts there is room for in the whole cluster, and on the node that has the least. */
  room(now: Instant): { readonly cluster: number; readonly node: number } {
    const { perCluster, perNode } = this.#settings.guard.budgets;
    const { attempts } = this.#run.state;
    const left = this.#settings.nodes.map((node) => {
      const own = attempts.filter((one) => one.node === node);
      return remainingOf(perNode, own, now.mono);
    });
    return { cluster: remainingOf(perCluster, attempts, now.mono), node: Math.min(perNode.max, ...left) };
  }

  /** Whether some policy of this cluster is to abort queries. */
  get isEnforcing(): boolean {
    return this.policies.some((policy) => effectiveMode(this.#settings.guard, policy) === 'enforce');
  }

  /** What rules may know. */
  view(now: Instant): GuardView {
    const { isRestored } = this.#run.state.standing;
    return { ...this.#history.view(now), isRestored, isEnforcing: this.isEnforcing };
  }

  /** The breakers that are open. */
  breakers(): readonly BreakerView[] {
    return this.#history.breakers();
  }

  /** The latest first: what is under way, and what came of earlier ones. */
  decisions(now: Instant): readonly DecisionView[] {
    return this.#history.decisions(this.#run.state, now);
  }

  /** Gives up what has no intent, and waits for aborts in flight. */
  async stop(signal: AbortSignal): Promise<void> {
    await this.#run.stop(signal);
    this.#manual.end();
  }

  #noteAudit(): void {
    const isWritable = this.#context.isAuditable();
    if (isWritable !== this.#run.state.standing.isAuditable) this.#run.take({ kind: 'audit', isWritable });
  }

  #follow(reach: GuardReach, now: Instant): void {
    const nodes = reach.nodes();
    const told = nodes.flatMap(({ name, instance }) => (instance === undefined ? [] : [[name, instance]]));
    const names = nodes.map(({ name }) => name);
    this.become({ ...this.#settings, nodes: names, instances: Object.fromEntries(told) });
    this.#memory.askGraphs(reach, now, (graphs) => this.#run.take({ kind: 'graphs', names: graphs }));
  }

  /** Without policies nobody waits for what the collector does not ask for anyhow. */
  async #list(node: string, isUrgent: boolean): Promise<boolean> {
    if (!isUrgent && this.policies.length === 0) return false;
    return (await this.#context.reach()?.list(node, isUrgent)) ?? false;
  }

  async #abort(order: AbortOrder, signal: AbortSignal): Promise<AbortAnswer> {
    const reply = await this.#context.reach()?.abort(order, signal);
    if (reply?.kind === 'taken') return { kind: 'taken', aborted: reply.aborted };
    const { kind, reason } = reply ?? { kind: 'unsent', reason: 'the cluster is watched no more' };
    this.#context.log.warn('an abort was not taken', { node: order.node, id: order.id, answer: kind, reason });
    return reply?.kind === 'lost' ? { kind: 'lost', aborted: reply.aborted ?? [] } : { kind: 'refused' };
  }

  #told(outputs: readonly GuardOutput[], run: GuardRun): void {
    const { clock, digest, log, pause } = this.#context;
    const now = clock.now();
    for (const output of outputs) {
      this.tally.note(output);
      this.#history.note(output, now);
      if (this.policies.length > 0 || !ofLooking.has(output.kind)) logGuard(log, output);
      if (output.kind === 'pause') pause();
    }
    const { cluster, guard } = this.#settings;
    const rows = rowsOf(outputs, { cluster, guard, digest, now });
    if (rows.length > 0) void this.#keep(rows, outputs, run);
    else this.#publish(outputs);
    this.#manual.note(outputs);
  }

  async #keep(rows: readonly Change[], outputs: readonly GuardOutput[], run: GuardRun): Promise<void> {
    const stored = await this.#context.record(rows);
    const reason = stored.ok ? undefined : stored.error;
    if (reason !== undefined) this.#context.log.error('what the guard did could not be stored', { reason });
    this.#publish(outputs);
    for (const output of outputs) {
      if (output.kind === 'intent') run.take({ kind: 'committed', key: output.intent.key, isOnDisk: stored.ok });
    }
  }

  #publish(outputs: readonly GuardOutput[]): void {
    for (const output of outputs) {
      const key = keyOfNews(output);
      const decision = key === undefined ? undefined : this.#history.decision(key, this.#run.state);
      if (decision !== undefined) this.#context.publish(decision);
    }
  }
}

/** From the intent on a decision is news to those who look on, and so is what would have been one. */
function keyOfNews(output: GuardOutput): string | undefined {
  if (output.kind === 'intent') return output.intent.key;
  return output.kind === 'would_abort' || output.kind === 'outcome' ? output.key : undefined;
}
