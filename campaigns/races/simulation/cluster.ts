import type { AbortResponse } from '../../../src/guard/decision/decision.ts';
import type { AbortCommand } from '../../../src/guard/decision/output.ts';
import type { Pressure } from '../../../src/guard/gates.ts';
import type { Millis } from '../../../src/kernel/time.ts';
import type { Fault, FaultPeriod, PressurePlan, QueryPlan, SimulationPlan } from '../plan/plan.ts';
import type { RandomSource } from '../plan/random-source.ts';
import {
  duplicatedEntries,
  type FaultTarget,
  foreignEntry,
  foreignTag,
  hostileEntries,
  malformedBody,
  malformedEntries,
} from './faulty-responses.ts';
import type { Query } from './log.ts';
import { type Entry, SimulatedNode } from './node.ts';

/** Value of a pressure source, as the server has it. */
type Sample = Pick<Pressure, 'value' | 'collectedAt' | 'interval'>;

/** Connection of the guard to a machine. */
interface Connection {
  readonly id: string;
  readonly machine: string;
}

/** Response of a machine to a list request. */
export interface ListReply {
  readonly body: unknown;
  readonly isComplete: boolean;
  readonly tags: ReadonlySet<string>;
  readonly listed: ReadonlySet<number>;
}

/** Effect of an abort request on a machine. */
export interface AbortEffect {
  readonly queryNumber: number | undefined;
  readonly isAborted: boolean;
  readonly answer: AbortResponse;
}

/** Time in which a frozen list does not differ from a current one, since ages may have whole seconds and clocks drift. */
const clockTolerance: Millis = 1100;
/** The same again on a node that rounds ages: its current lists understate them by up to a second. */
const rounding: Millis = 1000;
/** Long enough that the guard could observe, match and abort an accepted entry. */
const hostileEntryLifetime: Millis = 50_000;

/** Machines of a cluster, with the faults of the network and of the servers. */
export class SimulatedCluster {
  readonly hasFault: FaultTest;
  readonly #machines: ReadonlyMap<string, SimulatedNode>;
  readonly #random: RandomSource;
  readonly #configured: ReadonlyMap<string, string>;
  readonly #clockOffsets: Map<string, Millis>;
  readonly #ids = new Map<number, string>();
  readonly #frozen = new Map<string, { readonly reply: ListReply; readonly at: Millis }>();
  readonly #rotation: number;
  readonly #frozenListTolerance: Millis;
  readonly #connections = new Map<string, Connection>();
  readonly #relief = new Map<string, number>();
  readonly #samples = new Map<string, Sample>();
  readonly #pressures: readonly PressurePlan[];
  #connectionCount = 0;
  #count = 0;

  constructor({ nodes, faultPeriods, latencies, pressures }: SimulationPlan, random: RandomSource) {
    this.#pressures = pressures;
    this.#machines = new Map(nodes.map((node) => [node.name, new SimulatedNode(node)]));
    this.#configured = new Map(nodes.flatMap(({ name, tag, isConfigured }) => (isConfigured ? [[name, tag]] : [])));
    this.#clockOffsets = new Map(nodes.map(({ name, clockOffset }) => [name, clockOffset]));
    this.#random = random;
    // Each of the two responses may show the state of any moment between request and response.
    this.#frozenListTolerance = clockTolerance + 2 * latencies.list[1];
    this.#rotation = random.between(0, 1000);
    this.hasFault = createFaultTest(faultPeriods, random);
  }

  get queries(): readonly Query[] {
    return [...this.#machines.values()].flatMap(({ queries }) => queries);
  }

  machine(name: string): SimulatedNode {
    const machine = this.#machines.get(name);
    if (machine === undefined) throw new Error(`no machine ${name}`);
    return machine;
  }

  startQuery(query: QueryPlan, now: Millis): void {
    const number = this.#count++;
    const id = query.sameIdAs === undefined ? undefined : this.#ids.get(query.sameIdAs);
    const machine = this.machine(query.node);
    machine.startQuery(query, { number, now, id });
    this.#ids.set(number, machine.queries.at(-1)?.id ?? '');
  }

  restart(node: string, now: Millis, settings: { readonly tag: string; readonly clockOffset: Millis }): void {
    this.#clockOffsets.set(node, settings.clockOffset);
    this.machine(node).restart(now, settings);
  }

  setClock(node: string, by: Millis, now: Millis): void {
    this.#clockOffsets.set(node, (this.#clockOffsets.get(node) ?? 0) + by);
    this.machine(node).setClock(by, now);
  }

  /** Returns whether each request to a node may reach another machine, whatever its connection. */
  isShuffled(node: string, now: Millis): boolean {
    return this.hasFault('requests reach another node', node, now);
  }

  /** Returns the open connection of the guard to a node. A new one may lead to another machine. */
  connectionTo(node: string, now: Millis): Connection {
    const known = this.#connections.get(node);
    const isClosed = this.hasFault('connections are closed', node, now);
    if (known !== undefined && !isClosed && !this.isShuffled(node, now)) return known;
    this.#connectionCount += 1;
    const connection = { id: `${node} ${this.#connectionCount}`, machine: this.reached(node, now) };
    this.#connections.set(node, connection);
    return connection;
  }

  /** Returns the machine that a new connection to a node reaches. */
  reached(node: string, now: Millis): string {
    return this.isShuffled(node, now) || this.hasFault('connections reach another node', node, now)
      ? this.#random.pick([...this.#machines.keys()].slice(0, 2))
      : node;
  }

  /** Returns the list of a machine at an instant, for a request to `node`. */
  list(node: string, machine: string, now: Millis): ListReply {
    if (!this.hasFault('list is frozen', node, now)) this.#frozen.delete(machine);
    const old = this.#frozen.get(machine);
    if (old !== undefined)
      return now - old.at <= this.#frozenListTolerance + (this.machine(machine).roundsAges ? rounding : 0)
        ? old.reply
        : { ...old.reply, isComplete: false, listed: new Set() };
    const reply = this.#listReply(node, machine, now);
    if (this.hasFault('list is frozen', node, now)) this.#frozen.set(machine, { reply, at: now });
    return reply;
  }

  /** Handles an abort request. The query ends, unless it ignores aborts. */
  abort({ id, node }: AbortCommand, machine: string, now: Millis): AbortEffect {
    const has = (fault: Parameters<FaultTest>[0]) => this.hasFault(fault, node, now);
    if (has('abort is rejected'))
      return { queryNumber: this.#running(id, machine, now), isAborted: false, answer: { kind: 'refused' } };
    if (has('another guard aborts first')) this.machine(machine).abort(id, now);
    const hit = this.machine(machine).abort(id, now);
    const effect = { queryNumber: hit?.number, isAborted: hit?.ignoresAborts === false };
    if (has('abort response has another id')) {
      const other = `99999.RESTPP_1_1.${1_790_000_000_000 + now}.N`;
      return { ...effect, answer: { kind: 'accepted', aborted: hit === undefined ? [other] : [id, other] } };
    }
    const ids = hit === undefined || has('abort response is empty') ? [] : [id];
    return { ...effect, answer: has('abort response is lost') ? { kind: 'lost' } : { kind: 'accepted', aborted: ids } };
  }

  /** Lowers the pressure on a node after an effective abort. */
  relievePressure(node: string): void {
    for (const { node: name, source, relief } of this.#pressures) {
      const key = `${name} ${source}`;
      if (name === node) this.#relief.set(key, (this.#relief.get(key) ?? 0) + relief);
    }
  }

  /** Returns what a poll finds: the server collects a value less often than it is polled, and may stop to. */
  sample({ node, source, every, refresh, frozenFrom, values }: PressurePlan, index: number, now: Millis): Sample {
    const key = `${node} ${source}`;
    const collectedAt = Math.floor(Math.min(now, frozenFrom) / refresh) * refresh;
    const known = this.#samples.get(key);
    if (known?.collectedAt === collectedAt && refresh > every) return known;
    const value = values[Math.min(index, values.length - 1)];
    const relieved = value === undefined ? undefined : value - (this.#relief.get(key) ?? 0);
    const sample = { value: relieved, collectedAt, interval: refresh };
    this.#samples.set(key, sample);
    return sample;
  }

  #running(id: string, machine: string, now: Millis): number | undefined {
    return this.machine(machine)
      .running(now)
      .find((one) => one.id === id)?.number;
  }

  #listReply(node: string, name: string, now: Millis): ListReply {
    const machine = this.machine(name);
    const current = machine.list(now);
    const target: FaultTarget = { tag: machine.tag, now, clockOffset: this.#clockOffsets.get(name) ?? 0 };
    const entries = current.map(({ entry }) => entry);
    const tags = new Set(entries.map(({ requestid }) => String(requestid).split('.')[1] ?? ''));
    const listed = new Set(current.filter(({ entry }) => hasValidAge(entry)).map(({ number }) => number));
    const isOwn = [...tags].every((tag) => tag === (this.#configured.get(node) ?? machine.tag));
    return { isComplete: isOwn, tags, listed, ...this.#withFaults({ node, target, entries }) };
  }

  #withFaults({
    node,
    target,
    entries,
  }: {
    readonly node: string;
    readonly target: FaultTarget;
    readonly entries: readonly Entry[];
  }): Pick<ListReply, 'body'> & Partial<ListReply> {
    const has = (fault: Parameters<FaultTest>[0]) => this.hasFault(fault, node, target.now);
    const notGood = { isComplete: false, listed: new Set<number>() };
    const withoutTags = { ...notGood, tags: new Set<string>() };
    if (has('list is malformed')) return { ...withoutTags, body: malformedBody(this.#random) };
    if (has('list has an error')) return { ...withoutTags, body: { error: true, results: entries } };
    if (has('list has a duplicate id') && entries.length > 0)
      return { ...notGood, body: { results: duplicatedEntries(entries) } };
    if (has('list has a foreign entry'))
      return {
        ...notGood,
        tags: new Set([target.tag, foreignTag]),
        body: { results: [...entries, foreignEntry(target)] },
      };
    const more = [
      ...(has('list has hostile entries')
        ? hostileEntries(target, this.#rotation + Math.floor(target.now / hostileEntryLifetime))
        : []),
      ...(has('list has malformed entries') ? malformedEntries(target, this.#random) : []),
    ];
    const body = this.#random.chance(0.5)
      ? { error: false, results: [...entries, ...more] }
      : { results: [...more, ...entries] };
    return { body, ...(more.length > 0 && { tags: new Set([target.tag]) }) };
  }
}

/** A clock that is set back may list a negative age, with which the guard skips the entry. */
function hasValidAge({ elapsedTime }: Entry): boolean {
  return typeof elapsedTime === 'number' && elapsedTime >= 0;
}

/** Returns true if a fault is active at an instant, on a node. */
export type FaultTest = (fault: Fault, node: string, now: Millis) => boolean;

/** Compiles fault periods to a test. Each call draws again with the share of the period. */
function createFaultTest(faultPeriods: readonly FaultPeriod[], random: RandomSource): FaultTest {
  const byFault = Map.groupBy(faultPeriods, ({ fault }) => fault);
  return (fault, node, now) => {
    const on = byFault.get(fault)?.find((one) => (one.node ?? node) === node && one.from <= now && now < one.to);
    return on !== undefined && random.chance(on.share);
  };
}
