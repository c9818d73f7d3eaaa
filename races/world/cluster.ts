import type { AbortAnswer } from '../../src/guard/decision/decision.ts';
import type { AbortOrder } from '../../src/guard/decision/output.ts';
import type { Millis } from '../../src/kernel/time.ts';
import type { Draw } from '../plan/draw.ts';
import type { Plan, QueryPlan } from '../plan/plan.ts';
import { doubled, foreignEntry, foreignTag, hostileEntries, malformed, oddEntries, type Place } from './distort.ts';
import type { Query } from './log.ts';
import { type Entry, Machine } from './machine.ts';
import { type TroubleTest, troubleTest } from './troubles.ts';

/** What a machine says when it is asked for its list. */
export interface Told {
  readonly body: unknown;
  readonly isWhole: boolean;
  readonly tags: ReadonlySet<string>;
  readonly seen: ReadonlySet<number>;
}

/** What comes of an abort that arrives. */
export interface Effect {
  readonly hit: number | undefined;
  readonly isAborted: boolean;
  readonly answer: AbortAnswer;
}

/** What was so not longer ago cannot be told from what is said in whole seconds, by a clock that drifts. */
const asGoodAsNow: Millis = 1100;
/** To be seen, to be meant, and to be aborted. */
const longEnough: Millis = 50_000;

/** The machines, and whatever is between them and us. */
export class Cluster {
  readonly has: TroubleTest;
  readonly #machines: ReadonlyMap<string, Machine>;
  readonly #draw: Draw;
  readonly #configured: ReadonlyMap<string, string>;
  readonly #ahead: Map<string, Millis>;
  readonly #ids = new Map<number, string>();
  readonly #frozen = new Map<string, { readonly told: Told; readonly at: Millis }>();
  readonly #turn: number;
  readonly #asGoodAsNow: Millis;
  #count = 0;

  constructor({ nodes, spells, latencies }: Plan, draw: Draw) {
    this.#machines = new Map(nodes.map((node) => [node.name, new Machine(node)]));
    this.#configured = new Map(nodes.flatMap(({ name, tag, isConfigured }) => (isConfigured ? [[name, tag]] : [])));
    this.#ahead = new Map(nodes.map(({ name, ahead }) => [name, ahead]));
    this.#draw = draw;
    // Either answer may tell of any moment while it was under way.
    this.#asGoodAsNow = asGoodAsNow + 2 * latencies.list[1];
    this.#turn = draw.between(0, 1000);
    this.has = troubleTest(spells, draw);
  }

  get queries(): readonly Query[] {
    return [...this.#machines.values()].flatMap(({ queries }) => queries);
  }

  machine(name: string): Machine {
    const machine = this.#machines.get(name);
    if (machine === undefined) throw new Error(`no machine ${name}`);
    return machine;
  }

  accept(query: QueryPlan, now: Millis): void {
    const number = this.#count++;
    const id = query.sameIdAs === undefined ? undefined : this.#ids.get(query.sameIdAs);
    const machine = this.machine(query.node);
    machine.accept(query, { number, now, id });
    this.#ids.set(number, machine.queries.at(-1)?.id ?? '');
  }

  restart(node: string, now: Millis, settings: { readonly tag: string; readonly ahead: Millis }): void {
    this.#ahead.set(node, settings.ahead);
    this.machine(node).restart(now, settings);
  }

  setClock(node: string, by: Millis, now: Millis): void {
    this.#ahead.set(node, (this.#ahead.get(node) ?? 0) + by);
    this.machine(node).setClock(by, now);
  }

  /** The machine that a request for a node gets to. */
  reached(node: string, now: Millis): string {
    return this.has('nodes are shuffled', node, now) ? this.#draw.of([...this.#machines.keys()].slice(0, 2)) : node;
  }

  /** What a machine tells at an instant, asked for as `node`. */
  list(node: string, machine: string, now: Millis): Told {
    if (!this.has('list is frozen', node, now)) this.#frozen.delete(machine);
    const old = this.#frozen.get(machine);
    if (old !== undefined)
      return now - old.at <= this.#asGoodAsNow ? old.told : { ...old.told, isWhole: false, seen: new Set() };
    const told = this.#tell(node, machine, now);
    if (this.has('list is frozen', node, now)) this.#frozen.set(machine, { told, at: now });
    return told;
  }

  /** An abort arrives. What runs ends, unless nothing can end it. */
  abort({ id, node }: AbortOrder, machine: string, now: Millis): Effect {
    const has = (trouble: Parameters<TroubleTest>[0]) => this.has(trouble, node, now);
    if (has('abort is refused'))
      return { hit: this.#running(id, machine, now), isAborted: false, answer: { kind: 'refused' } };
    const hit = this.machine(machine).abort(id, now);
    const effect = { hit: hit?.number, isAborted: hit?.isZombie === false };
    if (has('answer names another')) {
      const other = `99999.RESTPP_1_1.${1_790_000_000_000 + now}.N`;
      return { ...effect, answer: { kind: 'taken', aborted: hit === undefined ? [other] : [id, other] } };
    }
    const named = hit === undefined || has('answer is empty') ? [] : [id];
    return { ...effect, answer: has('answer is lost') ? { kind: 'lost' } : { kind: 'taken', aborted: named } };
  }

  #running(id: string, machine: string, now: Millis): number | undefined {
    return this.machine(machine)
      .running(now)
      .find((one) => one.id === id)?.number;
  }

  #tell(node: string, name: string, now: Millis): Told {
    const machine = this.machine(name);
    const listed = machine.list(now);
    const place: Place = { tag: machine.tag, now, ahead: this.#ahead.get(name) ?? 0 };
    const entries = listed.map(({ entry }) => entry);
    const tags = new Set(entries.map(({ requestid }) => String(requestid).split('.')[1] ?? ''));
    const seen = new Set(listed.map(({ number }) => number));
    const isOwn = [...tags].every((tag) => tag === (this.#configured.get(node) ?? machine.tag));
    return { isWhole: isOwn, tags, seen, ...this.#distorted({ node, place, entries }) };
  }

  #distorted({
    node,
    place,
    entries,
  }: {
    readonly node: string;
    readonly place: Place;
    readonly entries: readonly Entry[];
  }): Pick<Told, 'body'> & Partial<Told> {
    const has = (trouble: Parameters<TroubleTest>[0]) => this.has(trouble, node, place.now);
    const nothing = { isWhole: false, seen: new Set<number>() };
    const unread = { ...nothing, tags: new Set<string>() };
    if (has('list is malformed')) return { ...unread, body: malformed(this.#draw) };
    if (has('list has an error')) return { ...unread, body: { error: true, results: entries } };
    if (has('list has an id twice') && entries.length > 0) return { ...nothing, body: { results: doubled(entries) } };
    if (has('list has a foreign entry'))
      return {
        ...nothing,
        tags: new Set([place.tag, foreignTag]),
        body: { results: [...entries, foreignEntry(place)] },
      };
    const more = [
      ...(has('list is hostile') ? hostileEntries(place, this.#turn + Math.floor(place.now / longEnough)) : []),
      ...(has('list has odd entries') ? oddEntries(place, this.#draw) : []),
    ];
    const body = this.#draw.chance(0.5)
      ? { error: false, results: [...entries, ...more] }
      : { results: [...more, ...entries] };
    return { body, ...(more.length > 0 && { tags: new Set([place.tag]) }) };
  }
}
