import { createGuard, type Guard, type GuardedClusterOptions } from '../../../src/guard/decision/create-guard.ts';
import type { AbortResponse } from '../../../src/guard/decision/decision.ts';
import type { GuardInput } from '../../../src/guard/decision/input.ts';
import type { AbortCommand, GuardOutput } from '../../../src/guard/decision/output.ts';
import type { GuardState } from '../../../src/guard/decision/state.ts';
import type { GuardSettings, Policy } from '../../../src/guard/policy.ts';
import type { Instant, Millis } from '../../../src/kernel/time.ts';
import { at, entryOf, idAt } from '../observations.ts';

/** A query that runs on a node of the {@link GuardSimulation}. Times are after the epoch of the tests. */
export interface Running {
  readonly node: string;
  readonly id: string;
  readonly url: string;
  readonly from: Millis;
  readonly until: Millis;
}

/** Behavior of the simulation that a test overrides. */
export interface SimulationBehavior {
  readonly latency: (node: string) => Millis;
  /** Undefined: the list does not come. */
  readonly body: (entries: readonly unknown[], node: string) => unknown;
  readonly commit: (key: string) => { readonly after: Millis; readonly isOnDisk: boolean };
  /** Whether the connection of the list is still open. */
  readonly leaves: (order: AbortCommand) => boolean;
  /** Time until an abort request could be written, and until it is answered. */
  readonly preparation: (order: AbortCommand) => Millis;
  readonly response: (order: AbortCommand) => Millis;
  /** What the server does with an abort: its answer, and whether the query ends. Undefined: no answer at all. */
  readonly abort: (
    order: AbortCommand,
    hit: Running | undefined,
  ) => { readonly answer: AbortResponse | undefined; readonly ends: boolean };
}

/** An output, and when it was given. */
export type TimedOutput = GuardOutput & { readonly time: Millis };

interface Event {
  readonly time: Millis;
  readonly serial: number;
  readonly run: () => void;
}

const defaultBehavior: SimulationBehavior = {
  latency: () => 20,
  body: (entries) => ({ error: false, results: entries }),
  commit: () => ({ after: 5, isOnDisk: true }),
  leaves: () => true,
  preparation: () => 0,
  response: () => 10,
  abort: ({ id }, hit) => ({ answer: { kind: 'accepted', aborted: hit === undefined ? [] : [id] }, ends: true }),
};

/** An enforcing guard with such policies. */
export function settingsOf(policies: readonly Policy[], changes: Partial<GuardSettings> = {}): GuardSettings {
  return {
    mode: 'enforce',
    protect: [],
    budgets: { perNode: { max: 3, within: 600_000 }, perCluster: { max: 6, within: 600_000 } },
    breakers: { sameQuery: { aborts: 3, within: 900_000 }, noRelief: { aborts: 2 } },
    recording: { enabled: false, maxSize: 0, maxAge: 0 },
    policies,
    ...changes,
  };
}

/** A cluster whose nodes execute the requests of the guard, on a clock that is stopped meanwhile. */
export class GuardSimulation {
  readonly outputs: TimedOutput[] = [];
  readonly queries: Running[] = [];
  /** Queries that were running when an abort arrived. */
  readonly aborts: { readonly order: AbortCommand; readonly hit: Running | undefined; readonly time: Millis }[] = [];
  state: GuardState;
  #guard: Guard;
  #events: Event[] = [];
  #time = 0;
  #serial = 0;
  #wall = 0;
  #wake = 0;
  readonly #ways: SimulationBehavior;

  constructor(
    settings: GuardSettings,
    ways: Partial<SimulationBehavior> = {},
    guarded: Partial<GuardedClusterOptions> = {},
  ) {
    this.#ways = { ...defaultBehavior, ...ways };
    const cluster = { cluster: 'prod', nodes: ['n1'], instances: { n1: 'RESTPP_1_1' }, interval: 5000, ...guarded };
    this.#guard = createGuard(settings, cluster);
    this.state = this.#guard.initial;
  }

  /** Begins as the program does: it knows the graphs, and what was kept. */
  begin(kept: Partial<Extract<GuardInput, { kind: 'restored' }>['kept']> = {}): this {
    this.send({ kind: 'graphs', names: ['fraud', 'sandbox'] });
    const none = {
      intents: [],
      breakers: [],
      breakerResets: {},
      abortsWithoutRelief: {},
      offsets: {},
      isPaused: false,
    };
    this.send({ kind: 'restored', kept: { ...none, ...kept } });
    return this;
  }

  /** A query that begins now, or has run for some time. */
  start(
    query: { readonly age?: Millis; readonly url?: string; readonly node?: string; readonly lasts?: Millis } = {},
  ): Running {
    const { age = 0, url = '/query/fraud/ring_scan', node = 'n1', lasts = Number.POSITIVE_INFINITY } = query;
    this.#serial += 1;
    const from = this.#time - age;
    const running = { node, url, from, until: this.#time + lasts, id: idAt(from, this.#serial, instanceOf(node)) };
    this.queries.push(running);
    return running;
  }

  /** A list that the guard did not request. */
  poll(node: string): void {
    this.#list(node);
  }

  now(): Instant {
    const { wall, mono } = at(this.#time);
    return { wall: wall + this.#wall, mono };
  }

  /** Our own wall clock is set. */
  stepClock(by: Millis): void {
    this.#wall += by;
  }

  send(input: GuardInput): readonly GuardOutput[] {
    const { state, outputs } = this.#guard.step(this.state, input, this.now());
    this.state = state;
    for (const output of outputs) this.outputs.push({ ...output, time: this.#time });
    for (const output of outputs) this.#serve(output);
    return outputs;
  }

  /** Advances the simulation. */
  run(length: Millis): this {
    const end = this.#time + length;
    for (;;) {
      const next = this.#events.toSorted((one, other) => one.time - other.time || one.serial - other.serial)[0];
      if (next === undefined || next.time > end) break;
      this.#events = this.#events.filter((event) => event !== next);
      this.#time = Math.max(this.#time, next.time);
      next.run();
    }
    this.#time = end;
    return this;
  }

  /** All outputs of one kind. */
  of<Kind extends GuardOutput['kind']>(kind: Kind): readonly Extract<TimedOutput, { kind: Kind }>[] {
    return this.outputs.filter((output): output is Extract<TimedOutput, { kind: Kind }> => output.kind === kind);
  }

  #in(length: Millis, run: () => void): void {
    this.#serial += 1;
    this.#events.push({ time: this.#time + length, serial: this.#serial, run });
  }

  /** The latest wake is the one that counts. */
  #wakeIn(length: Millis): void {
    this.#events = this.#events.filter(({ serial }) => serial !== this.#wake);
    this.#in(length, () => this.send({ kind: 'tick' }));
    this.#wake = this.#serial;
  }

  #serve(output: GuardOutput): void {
    if (output.kind === 'wake') this.#wakeIn(output.at - this.now().mono);
    if (output.kind === 'list') this.#list(output.node);
    if (output.kind === 'abort') this.#abort(output.order);
    if (output.kind === 'intent') {
      const { key } = output.intent;
      const { after, isOnDisk } = this.#ways.commit(key);
      this.#in(after, () => this.send({ kind: 'committed', key, isOnDisk }));
    }
  }

  #list(node: string): void {
    const started = this.now();
    const latency = this.#ways.latency(node);
    const entries = () => this.#runningOn(node).map((one) => this.#entry(one));
    let body: unknown;
    this.#in(latency / 2, () => {
      body = this.#ways.body(entries(), node);
    });
    this.#in(latency, () => {
      const times = { started, received: this.now() };
      if (body === undefined) this.send({ kind: 'unlisted', node });
      else this.send({ kind: 'listed', node, body, times, connection: `connection to ${node}` });
    });
  }

  #abort(order: AbortCommand): void {
    if (!this.#ways.leaves(order)) {
      this.#in(10, () => this.send({ kind: 'answered', key: order.key, answer: { kind: 'unsent' } }));
      return;
    }
    this.#in(this.#ways.preparation(order), () => {
      this.send({ kind: 'sending', key: order.key });
      if (this.state.decisions.get(order.key)?.phase === 'sent') this.#write(order);
    });
  }

  #write(order: AbortCommand): void {
    const hit = this.#runningOn(order.node).find(({ id }) => id === order.id);
    this.aborts.push({ order, hit, time: this.#time });
    const { answer, ends } = this.#ways.abort(order, hit);
    if (ends && hit !== undefined) this.queries.splice(this.queries.indexOf(hit), 1, { ...hit, until: this.#time });
    if (answer !== undefined)
      this.#in(this.#ways.response(order), () => this.send({ kind: 'answered', key: order.key, answer }));
  }

  #runningOn(node: string): readonly Running[] {
    return this.queries.filter((one) => one.node === node && one.from <= this.#time && this.#time < one.until);
  }

  #entry({ id, url, from }: Running): unknown {
    const expirationTime = '2026-09-21 18:13:20.000';
    return entryOf({ requestid: id, url, expirationTime, elapsedTime: this.#time - from });
  }
}

/** Each node has an instance of its own: `RESTPP_1_2` runs on `n2`. */
export function instanceOf(node: string): string {
  return `RESTPP_1_${node.slice(1)}`;
}
