import { isDeepStrictEqual } from 'node:util';
import { adapted, createGuard, type Guard, meansNoMore } from '../../src/guard/decision/create-guard.ts';
import type { GuardInput } from '../../src/guard/decision/input.ts';
import type { GuardOutput } from '../../src/guard/decision/output.ts';
import type { GuardState } from '../../src/guard/decision/state.ts';
import type { GuardSettings } from '../../src/guard/policy.ts';
import type { Instant, Millis } from '../../src/kernel/time.ts';
import { drawOf } from '../plan/draw.ts';
import { epoch, type Happening, type Plan, type PressurePlan } from '../plan/plan.ts';
import { Agenda } from './agenda.ts';
import { Cluster } from './cluster.ts';
import type { RaceLog } from './log.ts';
import { emptyLog, type Writable } from './notebook.ts';
import { Store } from './store.ts';

type Of<Kind extends GuardOutput['kind']> = GuardOutput & { readonly kind: Kind };

/** An abort that nobody answers is given up after so long. */
const patience: Millis = 30_000;

/** Plays a plan, and tells what truly happened. */
export function race(plan: Plan): RaceLog {
  return new Race(plan).play();
}

/** A guard in a world, on a clock that stands still while anybody thinks. */
class Race {
  readonly #plan: Plan;
  readonly #agenda = new Agenda();
  readonly #draw;
  readonly #cluster: Cluster;
  readonly #log: Writable = emptyLog();
  readonly #store = new Store();
  #settings: GuardSettings;
  #guard: Guard;
  #state: GuardState | undefined;
  /** Counts the lives of our process: what was meant for an earlier one is heard by nobody. */
  #life = 0;
  #wake = 0;
  #ourClock: Millis = 0;
  #relief = new Map<string, number>();

  constructor(plan: Plan) {
    this.#plan = plan;
    this.#draw = drawOf(plan.seed, 1);
    this.#cluster = new Cluster(plan, drawOf(plan.seed, 2));
    this.#settings = plan.settings;
    this.#guard = this.#guardBy(plan.settings);
  }

  play(): RaceLog {
    for (const { name, tag } of this.#plan.nodes) this.#log.tags.push({ at: 0, node: name, tag });
    for (const happening of this.#plan.happenings) this.#agenda.in(happening.at, () => this.#befall(happening));
    for (const pressure of this.#plan.pressures) this.#measure(pressure, 0);
    this.#agenda.in(this.#plan.begins, () => this.#begin());
    this.#agenda.runUntil(this.#plan.length);
    return { ...this.#log, queries: this.#cluster.queries };
  }

  #guardBy(settings: GuardSettings): Guard {
    const { nodes, interval } = this.#plan;
    const instances = Object.fromEntries(nodes.filter((one) => one.isConfigured).map(({ name, tag }) => [name, tag]));
    return createGuard(settings, { cluster: 'prod', nodes: nodes.map(({ name }) => name), instances, interval });
  }

  get #now(): Millis {
    return this.#agenda.now;
  }

  /** The monotonic clock of each life has an origin of its own. */
  #instant(): Instant {
    return { wall: epoch + this.#now + this.#ourClock, mono: this.#now + 1_000_000 * (this.#life + 1) };
  }

  #begin(): void {
    this.#state = this.#guard.initial;
    this.#tell({ kind: 'graphs', names: this.#plan.graphs });
    this.#tell({ kind: 'restored', kept: this.#store.kept() });
  }

  #befall(happening: Happening): void {
    const { kind } = happening;
    if (kind === 'query') this.#cluster.accept(happening.query, this.#now);
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

  #command(happening: Happening): void {
    if (this.#state === undefined) return;
    if (happening.kind === 'paused') {
      this.#log.pauses.push({ at: this.#now, isPaused: happening.isPaused });
      this.#store.isPaused = happening.isPaused;
      this.#tell({ kind: 'paused', isPaused: happening.isPaused });
    }
    if (happening.kind === 'writable') this.#tell({ kind: 'audit', isWritable: true });
    if (happening.kind === 'reset') {
      this.#log.resets.push({ at: this.#now, breaker: happening.breaker });
      this.#tell({ kind: 'reset', breaker: happening.breaker });
    }
    if (happening.kind === 'stop') {
      this.#log.stoppedAt = this.#now;
      this.#tell({ kind: 'stop' });
    }
  }

  /** Whoever is not there reads the new ones when it begins. */
  #reload(settings: GuardSettings): void {
    const isNoMore = meansNoMore(this.#settings, settings, isDeepStrictEqual);
    this.#log.reloads.push({ at: this.#now, settings, isNoMore });
    this.#settings = settings;
    this.#guard = this.#guardBy(settings);
    if (this.#state === undefined) return;
    this.#state = adapted(this.#state, this.#guard, isNoMore);
    this.#tell({ kind: 'beat' });
  }

  #crash(down: Millis): void {
    if (this.#log.stoppedAt !== undefined || this.#state === undefined) return;
    this.#store.keepOffsets(this.#state.views);
    this.#log.downs.push({ from: this.#now, to: this.#now + down });
    this.#state = undefined;
    this.#life += 1;
    this.#agenda.in(down, () => this.#begin());
  }

  /** Something comes back to whoever asked for it, if that one is still there. */
  #later(after: Millis, run: () => void): void {
    const life = this.#life;
    this.#agenda.in(after, () => {
      if (life === this.#life) run();
    });
  }

  #tell(input: GuardInput): void {
    if (this.#state === undefined) return;
    const { state, outputs } = this.#guard.step(this.#state, input, this.#instant());
    this.#state = state;
    for (const output of outputs) this.#serve(output);
  }

  #serve(output: GuardOutput): void {
    if (output.kind === 'list') this.#list(output);
    else if (output.kind === 'wake') this.#wakeAt(output.at);
    else if (output.kind === 'intent') this.#commit(output);
    else if (output.kind === 'abort') this.#abort(output);
    else if (output.kind === 'outcome') {
      this.#log.outcomes.push({ key: output.key, outcome: output.outcome, at: this.#now });
      this.#store.ended(output.key, output.outcome);
    } else if (output.kind === 'breaker') this.#store.breaker(output.breaker, output.isOpen);
    else if (output.kind === 'relief') this.#store.reliefless.set(output.policy, output.aborts);
    else if (output.kind === 'pause') this.#store.isPaused = true;
  }

  #wakeAt(at: Millis): void {
    this.#wake += 1;
    const wake = this.#wake;
    this.#later(at - this.#instant().mono, () => {
      if (wake === this.#wake) this.#tell({ kind: 'beat' });
    });
  }

  #list({ node, purpose }: Of<'list'>): void {
    const { latencies } = this.#plan;
    const isSlow = this.#cluster.has('list is slow', node, this.#now);
    const latency = isSlow ? this.#draw.between(1200, 8000) : this.#draw.between(...latencies.list);
    const started = this.#instant();
    const startedAt = this.#now;
    const machine = this.#cluster.reached(node, this.#now);
    let told: ReturnType<Cluster['list']> | undefined;
    this.#agenda.in(this.#draw.between(0, latency), () => {
      told = this.#cluster.has('list fails', node, this.#now)
        ? undefined
        : this.#cluster.list(node, machine, this.#now);
    });
    this.#later(latency, () => {
      const { isWhole = false, tags = new Set<string>(), seen = new Set<number>() } = told ?? {};
      this.#log.lists.push({
        node,
        purpose,
        startedAt,
        receivedAt: told === undefined ? undefined : this.#now,
        isGood: isWhole && machine === node && latency <= 3000,
        tags,
        seen,
      });
      const times = { started, received: this.#instant() };
      if (told === undefined) this.#tell({ kind: 'unlisted', node });
      else this.#tell({ kind: 'listed', node, body: told.body, times, address: `10.0.0.1:${node}` });
    });
  }

  #commit({ intent }: Of<'intent'>): void {
    const { node, key } = intent;
    const isOnDisk = !this.#cluster.has('commit fails', node, this.#now);
    const isSlow = this.#cluster.has('commit is slow', node, this.#now);
    const latency = isSlow ? this.#draw.between(500, 20_000) : this.#draw.between(...this.#plan.latencies.commit);
    const { policy, id, graph, query } = intent;
    const at = this.#log.intents.push({ key, policy, node, id, graph, query, at: this.#now, onDiskAt: undefined }) - 1;
    this.#later(this.#draw.between(0, latency), () => {
      if (isOnDisk) this.#store.intends(intent);
    });
    this.#later(latency, () => {
      const row = this.#log.intents[at];
      if (isOnDisk && row !== undefined) this.#log.intents[at] = { ...row, onDiskAt: this.#now };
      this.#tell({ kind: 'committed', key, isOnDisk });
    });
  }

  #abort({ order, policy }: Of<'abort'>): void {
    const sentAt = this.#now;
    const way = this.#draw.between(...this.#plan.latencies.abort);
    const machine = this.#cluster.reached(order.node, this.#now);
    if (this.#cluster.has('abort is lost', order.node, this.#now)) {
      const answer = { kind: 'lost' } as const;
      this.#log.aborts.push({ order, policy, sentAt, arrivedAt: undefined, machine, hit: undefined, answer });
      this.#later(patience, () => this.#tell({ kind: 'answered', key: order.key, answer }));
      return;
    }
    this.#agenda.in(way, () => {
      const { hit, isAborted, answer } = this.#cluster.abort(order, machine, this.#now);
      this.#log.aborts.push({ order, policy, sentAt, arrivedAt: this.#now, machine, hit, answer });
      if (isAborted) this.#relieve(order.node);
      const isSlow = this.#cluster.has('answer is slow', order.node, this.#now);
      const back = isSlow ? this.#draw.between(2000, patience) : this.#draw.between(...this.#plan.latencies.abort);
      this.#later(answer.kind === 'lost' ? patience : back, () => this.#answer(order, answer));
    });
  }

  #answer({ key, id }: Of<'abort'>['order'], answer: RaceLog['aborts'][number]['answer']): void {
    if (answer.kind === 'taken' && answer.aborted.some((one) => one !== id))
      this.#log.surprises.push({ at: this.#now });
    this.#tell({ kind: 'answered', key, answer });
  }

  #relieve(node: string): void {
    for (const { node: where, source, relief } of this.#plan.pressures) {
      const key = `${where} ${source}`;
      if (where === node) this.#relief.set(key, (this.#relief.get(key) ?? 0) + relief);
    }
  }

  #measure(plan: PressurePlan, index: number): void {
    const { node, source, every, values } = plan;
    this.#agenda.in(every, () => {
      const value = values[Math.min(index, values.length - 1)];
      const shown = value === undefined ? undefined : value - (this.#relief.get(`${node} ${source}`) ?? 0);
      this.#log.readings.push({ node, source, value: shown, at: this.#now, interval: every });
      const pressure = { node, source, value: shown, at: this.#instant().mono, interval: every };
      this.#tell({ kind: 'pressed', pressure });
      this.#measure(plan, index + 1);
    });
  }
}
