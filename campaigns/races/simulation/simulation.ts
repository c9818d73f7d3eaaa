import { isDeepStrictEqual } from 'node:util';
import {
  createGuard,
  type Guard,
  reconfigureGuard,
  targetsNoMoreQueries,
} from '../../../src/guard/decision/create-guard.ts';
import type { GuardInput } from '../../../src/guard/decision/input.ts';
import type { GuardOutput } from '../../../src/guard/decision/output.ts';
import type { GuardState } from '../../../src/guard/decision/state.ts';
import type { GuardSettings } from '../../../src/guard/policy.ts';
import type { Instant, Millis } from '../../../src/kernel/time.ts';
import { epoch, type PlannedEvent, type PressurePlan, type SimulationPlan } from '../plan/plan.ts';
import { randomSource } from '../plan/random-source.ts';
import { SimulatedCluster } from './cluster.ts';
import { EventQueue } from './event-queue.ts';
import { InMemoryGuardStore } from './guard-store.ts';
import type { SimulationLog } from './log.ts';
import { emptyLog, type WritableLog } from './log.ts';

type OutputOf<Kind extends GuardOutput['kind']> = GuardOutput & { readonly kind: Kind };

/** Timeout of an abort request. */
const abortTimeout: Millis = 30_000;

/** Simulates a plan and returns the log of the cluster and the guard. */
export function simulate(plan: SimulationPlan): SimulationLog {
  return new Simulation(plan).run();
}

/** A guard in a world, on a clock that stands still while anybody thinks. */
class Simulation {
  readonly #plan: SimulationPlan;
  readonly #events = new EventQueue();
  readonly #random;
  readonly #cluster: SimulatedCluster;
  readonly #log: WritableLog = emptyLog();
  readonly #store = new InMemoryGuardStore();
  #settings: GuardSettings;
  #guard: Guard;
  #state: GuardState | undefined;
  /** Number of the current guard process. Events for an earlier process are dropped. */
  #processNumber = 0;
  #wake = 0;
  #ourClock: Millis = 0;
  #relief = new Map<string, number>();

  constructor(plan: SimulationPlan) {
    this.#plan = plan;
    this.#random = randomSource(plan.seed, 1);
    this.#cluster = new SimulatedCluster(plan, randomSource(plan.seed, 2));
    this.#settings = plan.settings;
    this.#guard = this.#guardBy(plan.settings);
  }

  run(): SimulationLog {
    for (const { name, tag } of this.#plan.nodes) this.#log.tags.push({ at: 0, node: name, tag });
    for (const happening of this.#plan.happenings)
      this.#events.schedule(happening.at, () => this.#applyEvent(happening));
    for (const pressure of this.#plan.pressures) this.#pollPressure(pressure, 0);
    this.#events.schedule(this.#plan.begins, () => this.#startProcess());
    this.#events.runUntil(this.#plan.length);
    return { ...this.#log, queries: this.#cluster.queries };
  }

  #guardBy(settings: GuardSettings): Guard {
    const { nodes, interval } = this.#plan;
    const instances = Object.fromEntries(nodes.filter((one) => one.isConfigured).map(({ name, tag }) => [name, tag]));
    return createGuard(settings, { cluster: 'prod', nodes: nodes.map(({ name }) => name), instances, interval });
  }

  get #now(): Millis {
    return this.#events.now;
  }

  /** The monotonic clock of each life has an origin of its own. */
  #instant(): Instant {
    return { wall: epoch + this.#now + this.#ourClock, mono: this.#now + 1_000_000 * (this.#processNumber + 1) };
  }

  #startProcess(): void {
    this.#state = this.#guard.initial;
    this.#step({ kind: 'graphs', names: this.#plan.graphs });
    this.#step({ kind: 'restored', kept: this.#store.load() });
  }

  #applyEvent(happening: PlannedEvent): void {
    const { kind } = happening;
    if (kind === 'query') this.#cluster.startQuery(happening.query, this.#now);
    else if (kind === 'node restarts') {
      this.#log.tags.push({ at: this.#now, node: happening.node, tag: happening.tag });
      this.#cluster.restart(happening.node, this.#now, happening);
    } else if (kind === 'their clock') this.#cluster.setClock(happening.node, happening.by, this.#now);
    else if (kind === 'our clock') {
      this.#ourClock += happening.by;
      this.#log.steps.push({ at: this.#now, by: happening.by });
    } else if (kind === 'crash') this.#crash(happening.down);
    else if (kind === 'reload') this.#reload(happening.settings);
    else this.#command(happening);
  }

  #command(happening: PlannedEvent): void {
    if (this.#state === undefined) return;
    if (happening.kind === 'paused') {
      this.#log.pauses.push({ at: this.#now, isPaused: happening.isPaused });
      this.#store.isPaused = happening.isPaused;
      this.#step({ kind: 'paused', isPaused: happening.isPaused });
    }
    if (happening.kind === 'writable') this.#step({ kind: 'audit', isWritable: true });
    if (happening.kind === 'reset') {
      this.#log.resets.push({ at: this.#now, breaker: happening.breaker });
      this.#step({ kind: 'reset', breaker: happening.breaker });
    }
    if (happening.kind === 'stop') {
      this.#log.stoppedAt = this.#now;
      this.#step({ kind: 'stop' });
    }
  }

  /** Changes the settings. A guard that does not run loads them when it starts. */
  #reload(settings: GuardSettings): void {
    const isNoMore = targetsNoMoreQueries(this.#settings, settings, isDeepStrictEqual);
    this.#log.reloads.push({ at: this.#now, settings, isNoMore });
    this.#settings = settings;
    this.#guard = this.#guardBy(settings);
    if (this.#state === undefined) return;
    this.#state = reconfigureGuard(this.#state, this.#guard, isNoMore);
    this.#step({ kind: 'beat' });
  }

  #crash(down: Millis): void {
    if (this.#log.stoppedAt !== undefined || this.#state === undefined) return;
    this.#store.saveOffsets(this.#state.views);
    this.#log.downs.push({ from: this.#now, to: this.#now + down });
    this.#state = undefined;
    this.#processNumber += 1;
    this.#events.schedule(down, () => this.#startProcess());
  }

  /** Schedules a response. It is dropped if the process that sent the request has ended. */
  #later(after: Millis, run: () => void): void {
    const life = this.#processNumber;
    this.#events.schedule(after, () => {
      if (life === this.#processNumber) run();
    });
  }

  #step(input: GuardInput): void {
    if (this.#state === undefined) return;
    const { state, outputs } = this.#guard.step(this.#state, input, this.#instant());
    this.#state = state;
    for (const output of outputs) this.#perform(output);
  }

  #perform(output: GuardOutput): void {
    if (output.kind === 'list') this.#list(output);
    else if (output.kind === 'wake') this.#wakeAt(output.at);
    else if (output.kind === 'intent') this.#commit(output);
    else if (output.kind === 'abort') this.#abort(output);
    else if (output.kind === 'outcome') {
      this.#log.outcomes.push({ key: output.key, outcome: output.outcome, at: this.#now });
      this.#store.setOutcome(output.key, output.outcome);
    } else if (output.kind === 'breaker') this.#store.setBreaker(output.breaker, output.isOpen);
    else if (output.kind === 'relief') this.#store.reliefless.set(output.policy, output.aborts);
    else if (output.kind === 'pause') this.#store.isPaused = true;
  }

  #wakeAt(at: Millis): void {
    this.#wake += 1;
    const wake = this.#wake;
    this.#later(at - this.#instant().mono, () => {
      if (wake === this.#wake) this.#step({ kind: 'beat' });
    });
  }

  #list({ node, purpose }: OutputOf<'list'>): void {
    const { latencies } = this.#plan;
    const isSlow = this.#cluster.hasFault('list is slow', node, this.#now);
    const latency = isSlow ? this.#random.between(1200, 8000) : this.#random.between(...latencies.list);
    const started = this.#instant();
    const startedAt = this.#now;
    const machine = this.#cluster.reached(node, this.#now);
    let reported: ReturnType<SimulatedCluster['list']> | undefined;
    this.#events.schedule(this.#random.between(0, latency), () => {
      reported = this.#cluster.hasFault('list fails', node, this.#now)
        ? undefined
        : this.#cluster.list(node, machine, this.#now);
    });
    this.#later(latency, () => {
      const { isWhole = false, tags = new Set<string>(), seen = new Set<number>() } = reported ?? {};
      this.#log.lists.push({
        node,
        purpose,
        startedAt,
        receivedAt: reported === undefined ? undefined : this.#now,
        isGood: isWhole && machine === node && latency <= 3000,
        tags,
        seen,
      });
      const times = { started, received: this.#instant() };
      if (reported === undefined) this.#step({ kind: 'unlisted', node });
      else this.#step({ kind: 'listed', node, body: reported.body, times, address: `10.0.0.1:${node}` });
    });
  }

  #commit({ intent }: OutputOf<'intent'>): void {
    const { node, key } = intent;
    const isOnDisk = !this.#cluster.hasFault('commit fails', node, this.#now);
    const isSlow = this.#cluster.hasFault('commit is slow', node, this.#now);
    const latency = isSlow ? this.#random.between(500, 20_000) : this.#random.between(...this.#plan.latencies.commit);
    const { policy, id, graph, query } = intent;
    const at = this.#log.intents.push({ key, policy, node, id, graph, query, at: this.#now, onDiskAt: undefined }) - 1;
    this.#later(this.#random.between(0, latency), () => {
      if (isOnDisk) this.#store.addIntent(intent);
    });
    this.#later(latency, () => {
      const row = this.#log.intents[at];
      if (isOnDisk && row !== undefined) this.#log.intents[at] = { ...row, onDiskAt: this.#now };
      this.#step({ kind: 'committed', key, isOnDisk });
    });
  }

  #abort({ order, policy }: OutputOf<'abort'>): void {
    const sentAt = this.#now;
    const way = this.#random.between(...this.#plan.latencies.abort);
    const machine = this.#cluster.reached(order.node, this.#now);
    if (this.#cluster.hasFault('abort is lost', order.node, this.#now)) {
      const answer = { kind: 'lost' } as const;
      this.#log.aborts.push({ order, policy, sentAt, arrivedAt: undefined, machine, hit: undefined, answer });
      this.#later(abortTimeout, () => this.#step({ kind: 'answered', key: order.key, answer }));
      return;
    }
    this.#events.schedule(way, () => {
      const { hit, isAborted, answer } = this.#cluster.abort(order, machine, this.#now);
      this.#log.aborts.push({ order, policy, sentAt, arrivedAt: this.#now, machine, hit, answer });
      if (isAborted) this.#relievePressure(order.node);
      const isSlow = this.#cluster.hasFault('answer is slow', order.node, this.#now);
      const back = isSlow
        ? this.#random.between(2000, abortTimeout)
        : this.#random.between(...this.#plan.latencies.abort);
      this.#later(answer.kind === 'lost' ? abortTimeout : back, () => this.#answer(order, answer));
    });
  }

  #answer({ key, id }: OutputOf<'abort'>['order'], answer: SimulationLog['aborts'][number]['answer']): void {
    if (answer.kind === 'taken' && answer.aborted.some((one) => one !== id))
      this.#log.surprises.push({ at: this.#now });
    this.#step({ kind: 'answered', key, answer });
  }

  #relievePressure(node: string): void {
    for (const { node: where, source, relief } of this.#plan.pressures) {
      const key = `${where} ${source}`;
      if (where === node) this.#relief.set(key, (this.#relief.get(key) ?? 0) + relief);
    }
  }

  #pollPressure(plan: PressurePlan, index: number): void {
    const { node, source, every, values } = plan;
    this.#events.schedule(every, () => {
      const value = values[Math.min(index, values.length - 1)];
      const shown = value === undefined ? undefined : value - (this.#relief.get(`${node} ${source}`) ?? 0);
      this.#log.readings.push({ node, source, value: shown, at: this.#now, interval: every });
      const pressure = { node, source, value: shown, at: this.#instant().mono, interval: every };
      this.#step({ kind: 'pressed', pressure });
      this.#pollPressure(plan, index + 1);
    });
  }
}
