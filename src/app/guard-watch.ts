import { delayedQueries } from '../collect/delayed-queries.ts';
import { queries } from '../collect/queries.ts';
import type { Reading } from '../collect/runner.ts';
import type { Config } from '../config/config.ts';
import type { HeardList } from '../graphdb/overheard.ts';
import type { Pressure } from '../guard/gates.ts';
import type { Digest } from '../kernel/digest.ts';
import type { Logger } from '../kernel/logger.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import type { Change, Store } from '../kernel/store.ts';
import type { Files, Random } from '../kernel/system.ts';
import type { Clock, Instant, Millis } from '../kernel/time.ts';
import type { AbortView, BreakerView, GuardView } from '../model/guard.ts';
import type { Fact, SelfSituation } from '../model/situation.ts';
import { ClusterGuard, type ClusterGuardSettings } from './cluster-guard.ts';
import type { Feed } from './content.ts';
import { GuardActs } from './guard-acts.ts';
import type { DecisionView, GuardControl, ManualAbort, PauseReason, PauseView, Refusal } from './guard-control.ts';
import type { GuardReach } from './guard-reach.ts';
import { isGuarded } from './guarded.ts';
import { hostPressures, tellsOfHosts } from './host-pressure.ts';
import { pauseMemory } from './pause-memory.ts';
import { PauseSwitch } from './pause-switch.ts';
import type { Pace } from './pipeline.ts';
import { type QueryVerdict, verdictOn } from './query-verdict.ts';

/** What of the configuration the guard goes by. */
export type GuardedConfig = Pick<Config, 'guard' | 'clusters' | 'collectors' | 'stateDir'>;

/** What the guard works with. */
export interface GuardContext {
  readonly clock: Clock;
  readonly log: Logger;
  readonly store: Store;
  readonly digest: Digest;
  readonly random: Random;
  readonly files: Pick<Files, 'presence'>;
  /** The file that stops the guard for as long as it is there. */
  readonly pauseFile: string;
  /** What a cluster shows of a family at present. */
  readonly facts: (cluster: string, family: string) => readonly Fact[];
  /** The way to a cluster that is watched. */
  readonly reach: (cluster: string) => GuardReach | undefined;
  /** Stores rows with what alerting makes of them by then. */
  readonly record: (cluster: string, changes: readonly Change[]) => Promise<Result<void, string>>;
  /** Tells those who look on what became of a decision. */
  readonly publish: (decision: DecisionView) => void;
}

/** The guards of all clusters, and the hand that operators have on them. */
export class GuardWatch implements GuardControl {
  readonly #context: GuardContext;
  readonly #pause: PauseSwitch;
  readonly #acts: GuardActs;
  readonly #guards = new Map<string, ClusterGuard>();
  /** What earlier runs have left behind was read where it is kept, and not from a memory that took its place. */
  #isDiskRead = false;
  #isReading = false;
  #pausedSince: number | undefined;
  readonly #stopped = new AbortController();
  readonly #work = new Set<Promise<void>>();

  constructor(context: GuardContext) {
    this.#context = context;
    const { files, clock, log, store, pauseFile } = context;
    this.#acts = new GuardActs(context);
    this.#pause = new PauseSwitch({
      files,
      clock,
      log,
      memory: pauseMemory(store, clock),
      file: pauseFile,
      changed: ({ isPaused }) => {
        this.#pausedSince = isPaused ? (this.#pausedSince ?? clock.now().wall) : undefined;
        this.#each((guard) => guard.pause(isPaused));
      },
    });
  }

  /** Looks for the stop switch from now on; lost budgets are not full budgets, so a state that began anew stops it. */
  start(): void {
    const { store } = this.#context;
    this.#isDiskRead = store.durable;
    if (store.begunAnew) void this.#pause.pause('graphwarden', 'state_lost');
    this.#do(this.#pause.run(this.#stopped.signal));
  }

  /** Guards these clusters from now on, by these policies. */
  follow({ guard, clusters, collectors }: GuardedConfig): void {
    const { every: interval, staleAfter } = collectors[queries.name] ?? {
      every: queries.defaults.every,
      staleAfter: queries.defaults.every,
    };
    for (const settings of clusters) {
      const { name: cluster, nodes } = settings;
      const told = nodes.flatMap(({ name, instance }) => (instance === undefined ? [] : [[name, instance]]));
      const known = this.#guards.get(cluster)?.settings;
      const now = { nodes: nodes.map(({ name }) => name), instances: Object.fromEntries(told) };
      // Nodes that were discovered stay until discovery says otherwise.
      const place = nodes.length === 0 && known !== undefined ? known : now;
      const { nodes: names, instances } = place;
      const common = { cluster, guard, interval, staleAfter, isGuarded: isGuarded(settings, guard) };
      this.#guard({ ...common, nodes: names, instances });
    }
    for (const [name, gone] of this.#guards) {
      if (clusters.some((cluster) => cluster.name === name)) continue;
      this.#guards.delete(name);
      this.#do(gone.stop(this.#stopped.signal));
    }
  }

  /** Takes what a node answered to the question what runs. */
  heard(list: HeardList): void {
    this.#guards.get(list.cluster)?.heard(list);
  }

  /** Takes a reading that is on the page now: gates wait for what presses. */
  taken(feed: Feed, reading: Reading, pace: Pace): void {
    if (feed.of.name === delayedQueries.name) this.#pressByQueue(feed, reading, pace);
    else if (tellsOfHosts(feed.of)) this.#pressByHosts(feed, reading, pace);
  }

  /** A slow tick: what time alone decides. */
  beat(now: Instant): void {
    if (this.#context.store.durable && !this.#isDiskRead && !this.#isReading) this.#do(this.#readDisk());
    this.#each((guard) => guard.beat(now));
  }

  /** What is known of a cluster; undefined where no policy concerns it. */
  sight(cluster: string): ClusterGuard | undefined {
    const guard = this.#guards.get(cluster);
    return guard === undefined || guard.policies.length === 0 ? undefined : guard;
  }

  /** What rules may know of the guard of a cluster; undefined where no policy concerns it, and nobody aborted by hand. */
  view(cluster: string): GuardView | undefined {
    const guard = this.#guards.get(cluster);
    const view = guard?.view(this.#context.clock.now());
    // What was done by hand before the start is not known to be nothing until it is read.
    const isIdle = guard?.policies.length === 0 && view?.aborts.length === 0 && view.isRestored !== false;
    return isIdle ? undefined : view;
  }

  /** Since when it holds still, and why; undefined where it does not, and where nothing is to be enforced. */
  held(): SelfSituation['guardPaused'] {
    const { isPaused, reasons } = this.paused();
    const isMissed = [...this.#guards.values()].some((guard) => guard.isEnforcing);
    if (!isPaused || !isMissed) return undefined;
    this.#pausedSince ??= this.#context.clock.now().wall;
    return { since: this.#pausedSince, reasons };
  }

  /** Tells what the policies of a cluster say of its listed queries, as of now. */
  verdicts(cluster: string): QueryVerdict {
    const sight = this.sight(cluster);
    if (sight === undefined) return verdictOn(undefined);
    const { protect } = sight.settings.guard;
    return verdictOn({ sight, protect, now: this.#context.clock.now() });
  }

  /** What is to be taken from our time to get a node's; undefined where no list has told it yet. */
  offset(cluster: string, node: string): Millis | undefined {
    return this.#guards.get(cluster)?.state.views.get(node)?.offset.offset;
  }

  /** Which policy had a query of a node aborted, `''` where an operator had; undefined where nobody had. */
  abortedBy(cluster: string, node: string, id: string): string | undefined {
    const { aborts = [] } = this.view(cluster) ?? {};
    const abort = aborts.findLast((one) => one.node === node && one.id === id);
    return abort !== undefined && mayHaveEnded(abort) ? abort.policy : undefined;
  }

  paused(): PauseView {
    return this.#pause.view();
  }

  async pause(by: string, reason: PauseReason): Promise<Result<void, string>> {
    const stored = await this.#pause.pause(by, reason);
    await this.#acts.note({ what: 'pause', by, subject: reason });
    return stored;
  }

  async resume(by: string): Promise<Result<void, string>> {
    const resumed = await this.#pause.resume(by);
    await this.#acts.note({ what: 'resume', by });
    return resumed;
  }

  async resetBreaker(cluster: string, breaker: string, by: string): Promise<Result<boolean, string>> {
    const wasOpen = this.#guards.get(cluster)?.reset(breaker) ?? false;
    if (!wasOpen) return ok(false);
    const stored = await this.#acts.note({ what: 'reset_breaker', by, cluster, subject: breaker });
    return stored.ok ? ok(true) : stored;
  }

  breakers(cluster: string): readonly BreakerView[] {
    return this.#guards.get(cluster)?.breakers() ?? [];
  }

  async abort(wish: ManualAbort): Promise<Result<AbortView, Refusal>> {
    const { cluster, node, id, by, reason } = wish;
    const guard = this.#guards.get(cluster);
    if (guard === undefined) return err({ kind: 'unknown_node', message: `there is no cluster '${cluster}'` });
    const outcome = await guard.abort(wish);
    const what = outcome.ok ? 'manual_abort' : 'manual_abort_refused';
    await this.#acts.note({ what, by, cluster, subject: `${node} ${id}`, reason });
    return outcome;
  }

  decisions(): readonly DecisionView[] {
    const now = this.#context.clock.now();
    const all = [...this.#guards.values()].flatMap((guard) => guard.decisions(now));
    return all.toSorted((one, other) => other.at - one.at);
  }

  /** Gives up what has no intent, waits for aborts in flight as long as `signal` allows, and ends. */
  async stop(signal: AbortSignal): Promise<void> {
    await Promise.all([...this.#guards.values()].map((guard) => guard.stop(signal)));
    this.#stopped.abort();
    await Promise.all(this.#work);
  }

  /** The disk is there at last: who paused, what was aborted and what is barred holds before anything is aborted. */
  async #readDisk(): Promise<void> {
    this.#isReading = true;
    if (this.#context.store.begunAnew) void this.#pause.pause('graphwarden', 'state_lost');
    await this.#pause.recall();
    await Promise.all([...this.#guards.values()].map((guard) => this.#begin(guard)));
    this.#isReading = false;
    this.#isDiskRead = true;
  }

  #begin(guard: ClusterGuard): Promise<void> {
    return guard.begin(() => this.#pause.view().isPaused, this.#stopped.signal);
  }

  #guard(settings: ClusterGuardSettings): void {
    const { cluster } = settings;
    const known = this.#guards.get(cluster);
    if (known !== undefined) {
      known.become(settings);
      return;
    }
    const { clock, log, store, digest, reach, record, publish } = this.#context;
    const guard = new ClusterGuard(settings, {
      clock,
      log: log.with({ cluster }),
      store,
      digest,
      reach: () => reach(cluster),
      record: (changes) => record(cluster, changes),
      publish,
      isAuditable: () => store.durable && this.#isDiskRead,
      pause: () => void this.pause('graphwarden', 'unexpected_id'),
    });
    this.#guards.set(cluster, guard);
    this.#do(this.#begin(guard));
  }

  #pressByHosts({ cluster }: Feed, { ended }: Reading, { interval }: Pace): void {
    const guard = this.#guards.get(cluster);
    for (const { name: node, hostId } of this.#context.reach(cluster)?.nodes() ?? []) {
      if (hostId === undefined) continue;
      for (const [source, value] of hostPressures((family) => this.#context.facts(cluster, family), hostId)) {
        guard?.pressed({ node, source, value, at: ended.mono, interval });
      }
    }
  }

  #pressByQueue({ cluster, node, of }: Feed, { result, ended }: Reading, { interval }: Pace): void {
    const waiting = result.ok ? (of.listed?.(result.value, ended) ?? []) : undefined;
    const oldest = waiting?.reduce((most, { age = 0 }) => Math.max(most, age), 0);
    const press = (source: Pressure['source'], value: number | undefined): void =>
      this.#guards.get(cluster)?.pressed({ node, source, value, at: ended.mono, interval });
    press('queue_depth', waiting?.length);
    press('queue_oldest', oldest);
  }

  #each(act: (guard: ClusterGuard) => void): void {
    for (const guard of this.#guards.values()) act(guard);
  }

  #do(work: Promise<void>): void {
    const ended: Promise<void> = work.finally(() => this.#work.delete(ended));
    this.#work.add(ended);
  }
}

/** Of what was not asked to end, did not, or ended before, somebody else was the end. */
function mayHaveEnded({ outcome }: AbortView): boolean {
  return outcome === undefined || outcome === 'confirmed' || outcome === 'vanished' || outcome === 'unknown';
}
