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
const abortTimeout: Millis = 10_000;

/** Simulates a plan and returns the log of the cluster and the guard. */
export function simulate(plan: SimulationPlan): SimulationLog {
  return new Simulation(plan).run();
}

/** A guard and a simulated cluster in simulated time, which does not advance while code runs. */
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
  #clockOffset: Millis = 0;

  constructor(plan: SimulationPlan) {
    this.#plan = plan;
    this.#random = randomSource(plan.seed, 1);
    this.#cluster = new SimulatedCluster(plan, randomSource(plan.seed, 2));
    this.#settings = plan.settings;
    this.#guard = this.#createGuard(plan.settings);
  }

  run(): SimulationLog {
    for (const { name, tag } of this.#plan.nodes) this.#log.tags.push({ at: 0, node: name, tag });
    for (const event of this.#plan.events) this.#events.schedule(event.at, () => this.#applyEvent(event));
    for (const pressure of this.#plan.pressures) this.#pollPressure(pressure, 0);
    this.#events.schedule(this.#plan.startsAt, () => this.#startProcess());
    this.#events.runUntil(this.#plan.length);
    return { ...this.#log, queries: this.#cluster.queries };
  }

  #createGuard(settings: GuardSettings): Guard {
    const { nodes, interval } = this.#plan;
    const instances = Object.fromEntries(nodes.filter((one) => one.isConfigured).map(({ name, tag }) => [name, tag]));
    return createGuard(settings, { cluster: 'prod', nodes: nodes.map(({ name }) => name), instances, interval });
  }

  get #now(): Millis {
    return this.#events.now;
  }

  /** Returns the current time of the guard. The monotonic clock of each process has its own origin. */
  #instant(): Instant {
    return { wall: epoch + this.#now + this.#clockOffset, mono: this.#now + 1_000_000 * (this.#processNumber + 1) };
  }

  #startProcess(): void {
    this.#state = this.#guard.initial;
    this.#step({ kind: 'graphs', names: this.#plan.graphs });
    this.#step({ kind: 'shared', nodes: this.#log.shared.at(-1)?.nodes ?? [] });
    this.#step({ kind: 'restored', kept: this.#store.load() });
  }

  #applyEvent(event: PlannedEvent): void {
    const { kind } = event;
    if (kind === 'query') this.#cluster.startQuery(event.query, this.#now);
    else if (kind === 'node restarts') {
      this.#log.tags.push({ at: this.#now, node: event.node, tag: event.tag });
      this.#cluster.restart(event.node, this.#now, event);
    } else if (kind === 'node clock step') this.#cluster.setClock(event.node, event.by, this.#now);
    else if (kind === 'guard clock step') {
      this.#clockOffset += event.by;
      this.#log.steps.push({ at: this.#now, by: event.by });
    } else if (kind === 'crash') this.#crash(event.down);
    else if (kind === 'reload') this.#reload(event.settings);
    else if (kind === 'shared') {
      this.#log.shared.push({ at: this.#now, nodes: event.nodes });
      this.#step({ kind, nodes: event.nodes });
    } else this.#command(event);
  }

  #command(event: PlannedEvent): void {
    if (this.#state === undefined) return;
    if (event.kind === 'paused') {
      this.#log.pauses.push({ at: this.#now, isPaused: event.isPaused });
      this.#store.isPaused = event.isPaused;
      this.#step({ kind: 'paused', isPaused: event.isPaused });
    }
    if (event.kind === 'writable') this.#step({ kind: 'audit', isWritable: true });
    if (event.kind === 'reset') {
      this.#log.resets.push({ at: this.#now, breaker: event.breaker });
      this.#step({ kind: 'reset', breaker: event.breaker });
    }
    if (event.kind === 'stop') {
      this.#log.stoppedAt = this.#now;
      this.#step({ kind: 'stop' });
    }
  }

  /** Changes the settings. A guard that does not run loads them when it starts. */
  #reload(settings: GuardSettings): void {
    const isNoMore = targetsNoMoreQueries(this.#settings, settings, isDeepStrictEqual);
    this.#log.reloads.push({ at: this.#now, settings, isNoMore });
    this.#settings = settings;
    this.#guard = this.#createGuard(settings);
    if (this.#state === undefined) return;
    this.#state = reconfigureGuard(this.#state, this.#guard, isNoMore);
    this.#step({ kind: 'tick' });
  }

  #crash(down: Millis): void {
    if (this.#log.stoppedAt !== undefined || this.#state === undefined) return;
    this.#store.saveOffsets(this.#state.views);
    this.#log.downtimes.push({ from: this.#now, to: this.#now + down });
    this.#state = undefined;
    this.#processNumber += 1;
    this.#events.schedule(down, () => this.#startProcess());
  }

  /** Schedules a response. It is dropped if the process that sent the request has ended. */
  #later(after: Millis, run: () => void): void {
    const processNumber = this.#processNumber;
    this.#events.schedule(after, () => {
      if (processNumber === this.#processNumber) run();
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
    } else if (output.kind === 'breaker') this.#store.setBreaker(output.breaker, output.isOpen, this.#instant().wall);
    else if (output.kind === 'relief') this.#store.abortsWithoutRelief.set(output.policy, output.aborts);
    else if (output.kind === 'pause') {
      this.#store.isPaused = true;
      if (output.reason === 'other_guard')
        this.#log.pauses.push({ at: this.#now, isPaused: true, isForOtherGuard: true });
    }
  }

  #wakeAt(at: Millis): void {
    this.#wake += 1;
    const wake = this.#wake;
    this.#later(at - this.#instant().mono, () => {
      if (wake === this.#wake) this.#step({ kind: 'tick' });
    });
  }

  #list({ node, purpose }: OutputOf<'list'>): void {
    const { latencies } = this.#plan;
    const isSlow = this.#cluster.hasFault('list is slow', node, this.#now);
    const latency = isSlow ? this.#random.between(1200, 8000) : this.#random.between(...latencies.list);
    const started = this.#instant();
    const startedAt = this.#now;
    const connection = this.#cluster.connectionTo(node, this.#now);
    const { machine } = connection;
    const isShuffled = this.#cluster.isShuffled(node, this.#now);
    let reply: ReturnType<SimulatedCluster['list']> | undefined;
    this.#events.schedule(this.#random.between(0, latency), () => {
      reply = this.#cluster.hasFault('list fails', node, this.#now)
        ? undefined
        : this.#cluster.list(node, machine, this.#now);
    });
    this.#later(latency, () => {
      const { isComplete = false, tags = new Set<string>(), listed = new Set<number>() } = reply ?? {};
      this.#log.lists.push({
        node,
        machine,
        purpose,
        startedAt,
        receivedAt: reply === undefined ? undefined : this.#now,
        isGood: isComplete && (machine === node || !isShuffled) && latency <= 3000,
        tags,
        listed,
      });
      const times = { started, received: this.#instant() };
      if (reply === undefined) this.#step({ kind: 'unlisted', node });
      else this.#step({ kind: 'listed', node, body: reply.body, times, connection: connection.id });
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

  /** Prepares an abort request. It is written only if the decision still stands, over the connection of the list. */
  #abort({ order, policy }: OutputOf<'abort'>): void {
    const isSlow = this.#cluster.hasFault('abort preparation is slow', order.node, this.#now);
    this.#later(isSlow ? this.#random.between(200, 6000) : 0, () => {
      const { id, machine } = this.#cluster.connectionTo(order.node, this.#now);
      const isShuffled = this.#cluster.isShuffled(order.node, this.#now);
      if (order.connection !== '' && order.connection !== id && !isShuffled) {
        this.#step({ kind: 'answered', key: order.key, answer: { kind: 'unsent' } });
        return;
      }
      this.#step({ kind: 'sending', key: order.key });
      if (this.#state?.decisions.get(order.key)?.phase === 'sent') this.#send(order, policy, machine);
    });
  }

  #send(order: OutputOf<'abort'>['order'], policy: string, machine: string): void {
    const sentAt = this.#now;
    const requestLatency = this.#random.between(...this.#plan.latencies.abort);
    const listMachine = this.#log.lists.findLast((one) => one.node === order.node)?.machine;
    const common = { order, policy, sentAt, machine, listMachine };
    if (this.#cluster.hasFault('abort is lost', order.node, this.#now)) {
      const answer = { kind: 'lost' } as const;
      const answeredAt = sentAt + abortTimeout;
      this.#log.aborts.push({ ...common, arrivedAt: undefined, queryNumber: undefined, answer, answeredAt });
      this.#later(abortTimeout, () => this.#step({ kind: 'answered', key: order.key, answer }));
      return;
    }
    this.#events.schedule(requestLatency, () => {
      const { queryNumber, isAborted, answer } = this.#cluster.abort(order, machine, this.#now);
      if (isAborted) this.#cluster.relievePressure(order.node);
      const isSlow = this.#cluster.hasFault('abort response is slow', order.node, this.#now);
      const responseLatency = isSlow
        ? this.#random.between(2000, abortTimeout)
        : this.#random.between(...this.#plan.latencies.abort);
      const latency = answer.kind === 'lost' ? abortTimeout : responseLatency;
      const answeredAt = this.#now + latency;
      this.#log.aborts.push({ ...common, arrivedAt: this.#now, queryNumber, answer, answeredAt });
      this.#later(latency, () => this.#answer(order, answer));
    });
  }

  #answer({ key, id }: OutputOf<'abort'>['order'], answer: SimulationLog['aborts'][number]['answer']): void {
    if (answer.kind === 'accepted' && answer.aborted.some((one) => one !== id))
      this.#log.unexpectedReplies.push({ at: this.#now });
    this.#step({ kind: 'answered', key, answer });
  }

  #pollPressure(plan: PressurePlan, index: number): void {
    const { node, source, every } = plan;
    this.#events.schedule(every, () => {
      const { value, collectedAt, interval } = this.#cluster.sample(plan, index, this.#now);
      this.#log.samples.push({ node, source, value, at: this.#now, collectedAt, interval });
      const { mono } = this.#instant();
      const pressure = { node, source, value, at: mono, collectedAt: mono - (this.#now - collectedAt), interval };
      this.#step({ kind: 'gate_value', pressure });
      this.#pollPressure(plan, index + 1);
    });
  }
}
