import type { Millis } from '../../kernel/time.ts';
import type { ServiceStatus } from '../../model/service.ts';
import { seededRandom } from '../chance.ts';
import { FaultDesk } from '../faults/desk.ts';
import type { SimulatorSettings } from '../options.ts';
import { layOut, type SimulatedHost, type Topology } from '../topology.ts';
import { type ServerRelease, serverRelease } from '../versions.ts';
import { type Activity, runUntil } from './activity.ts';
import { Arrivals, type Demand } from './arrivals.ts';
import { installedOrder } from './catalogue.ts';
import { ConsistencyBoard } from './checks.ts';
import { Director, type PlayedPhase } from './director.ts';
import { measureCapacity, measureDisks, measureNetwork, type Occasion } from './host-readings.ts';
import { Informant, type Measured } from './informant.ts';
import { NodeLoad } from './node-load.ts';
import type { Phase, ScenarioName } from './scenarios.ts';
import { type InstancePattern, ServiceBoard } from './service-board.ts';
import { type EndpointRecord, summarise } from './statistics.ts';

/** What the world remembers about one host. */
export interface HostState {
  readonly host: SimulatedHost;
  readonly load: NodeLoad;
  /** Switched off, with everything on it. */
  away: boolean;
  bootedAt: number;
}

/** How far a clock is ahead under the fault `clock_skew`. */
const faultySkew: Millis = 3_600_000;

/** The world is this old when it is first looked at, so that nothing is empty. */
const youth: Millis = 130_000;
const day: Millis = 86_400_000;

/**
 * The simulated cluster without its network: all state, moved on by {@link World.advance} alone. Moments are
 * ms since the epoch; what a host says about time is ahead of that by its {@link World.clockOffset}.
 */
export class World {
  readonly settings: SimulatorSettings;
  readonly release: ServerRelease;
  readonly topology: Topology;
  readonly hosts: readonly HostState[];
  readonly board: ServiceBoard;
  readonly checks: ConsistencyBoard;
  readonly informant: Informant;
  readonly faults: FaultDesk;
  readonly licenseExpiresAt: number;
  readonly #director: Director;
  readonly #activities: readonly Activity[];
  readonly #bornAt: number;
  #graphs: readonly string[];
  #now: number;

  constructor(settings: SimulatorSettings, at: number) {
    this.settings = settings;
    this.release = serverRelease(settings.version);
    this.topology = layOut(settings.nodes, this.release);
    this.#bornAt = at - youth;
    this.#now = this.#bornAt;
    this.#graphs = settings.graphs;
    this.board = new ServiceBoard(this.topology, this.#bornAt);
    this.checks = new ConsistencyBoard(this.topology);
    this.licenseExpiresAt = (Math.floor(at / day) + settings.licenseDays) * day;
    const { speed } = settings;
    this.#director = new Director({ scenario: 'calm', speed, at }, (...change) => this.#changePhase(...change));
    this.faults = new FaultDesk(() => this.#director.played.phase.fault);
    this.hosts = this.topology.hosts.map((host) => this.#bring(host));
    this.informant = new Informant(this.#instruments(), this.#bornAt);
    this.#activities = [...this.hosts.map(({ load }) => load), ...this.#clients(), this.informant, this.#director];
    this.advance(at);
    this.play(settings.scenario);
  }

  get now(): number {
    return this.#now;
  }

  get graphs(): readonly string[] {
    return this.#graphs;
  }

  get scenario(): ScenarioName {
    return this.#director.scenario;
  }

  /** When the scenario changes next. */
  get changesAt(): number {
    return this.#director.nextAt();
  }

  /** Lets time pass until `at`; a moment that is past already changes nothing. */
  advance(at: number): void {
    runUntil(this.#activities, at);
    this.#now = Math.max(this.#now, at);
  }

  play(scenario: ScenarioName): void {
    this.#director.play(scenario, this.#now);
  }

  addGraph(name: string): void {
    if (!this.#graphs.includes(name)) this.#graphs = [...this.#graphs, name];
  }

  /** Switches a host off, with everything on it, or on again. */
  switchHost(state: HostState, on: boolean): void {
    if (state.away !== on) return;
    state.away = !on;
    state.load.clear();
    if (on) state.bootedAt = this.#now;
    this.board.set({ host: state.host.name }, on ? 'Online' : 'Down', this.#now);
  }

  setService(pattern: InstancePattern, status: ServiceStatus): number {
    return this.board.set(pattern, status, this.#now);
  }

  /** Whether the node accepts connections. */
  isReachable({ host, away }: HostState): boolean {
    return !away && !this.faults.suffers(host.name, 'connection_refused');
  }

  /** How far the clock of a host is ahead of the true time. */
  clockOffset(host: SimulatedHost): Millis {
    return this.settings.clockSkew + (this.faults.suffers(host.name, 'clock_skew') ? faultySkew : 0);
  }

  /** What the clock of a host shows. */
  hostTime(host: SimulatedHost): number {
    return this.#now + this.clockOffset(host);
  }

  /** What the endpoints of a node did in the last seconds; `graph` leaves the others out. */
  statistics(
    { load }: HostState,
    window: { readonly seconds: number; readonly segments: number; readonly graph?: string },
  ): Readonly<Record<string, EndpointRecord>> {
    const ended = load.endedSince(this.#now - window.seconds * 1000);
    const { graph } = window;
    return summarise(graph === undefined ? ended : ended.filter((query) => query.graph === graph), window);
  }

  #bring(host: SimulatedHost): HostState {
    const { maxConcurrentQueries: running, maxDelayQueueSize: delayed } = this.settings;
    const limits = { OLTP: { running, delayed }, AdHoc: { running: Math.ceil(running / 5), delayed } };
    const load = new NodeLoad(host, { limits, clockOffset: () => this.clockOffset(host) });
    // The counters of the network are days old, not minutes.
    const bootedAt = this.#bornAt - (3 + host.index) * day;
    return { host, load, away: false, bootedAt };
  }

  #clients(): readonly Activity[] {
    return this.hosts.map((state) => {
      const random = seededRandom(this.settings.seed * 1009 + state.host.index);
      return new Arrivals(state.load, () => this.#demand(state), { from: this.#bornAt, random });
    });
  }

  #demand({ away }: HostState): Demand {
    const { rush = 1, slowness = 1 } = this.#director.played.phase;
    return { open: !away && this.#graphs.length > 0, graphs: this.#graphs, perSecond: 1.3 * rush, slowness };
  }

  #instruments(): ConstructorParameters<typeof Informant>[0] {
    return {
      capacity: (at) =>
        this.#measure(at, (state, occasion) =>
          measureCapacity(occasion, this.board.entries, state.load.running.length),
        ),
      disks: (at) =>
        this.#measure(at, ({ host }, occasion) => measureDisks(occasion, at - this.#bornAt, this.#filled(host, at))),
      network: (at) =>
        this.#measure(at, ({ bootedAt, load }, occasion) => measureNetwork(occasion, bootedAt, load.running.length)),
      endpoints: (at) =>
        this.#measure(at, ({ load }) => summarise(load.endedSince(at - 60_000), { seconds: 60, segments: 10 })),
      statuses: () => this.board.entries,
    };
  }

  #measure<Reading>(
    at: number,
    measure: (state: HostState, occasion: Occasion) => Reading,
  ): readonly Measured<Reading>[] {
    return this.hosts
      .filter(({ away }) => !away)
      .map((state) => {
        const { host } = state;
        return { host, at, reading: measure(state, { host, seed: this.settings.seed, at }) };
      });
  }

  #filled(host: SimulatedHost, at: number): number {
    const { phase, from, until } = this.#director.played;
    const { filling } = phase;
    if (filling === undefined || this.#numbered(filling.host).host !== host) return 0;
    return filling.from + ((filling.to - filling.from) * (at - from)) / (until - from);
  }

  #numbered(number: number): HostState {
    const state = this.hosts[number % this.hosts.length];
    if (state === undefined) throw new Error('a cluster has at least one host');
    return state;
  }

  #changePhase(at: number, before: Phase, { phase }: PlayedPhase): void {
    this.#now = Math.max(this.#now, at);
    for (const { on, status: _, ...pattern } of before.statuses ?? []) {
      const state = this.#numbered(on);
      if (!state.away) this.setService({ ...pattern, host: state.host.name }, 'Online');
    }
    if (before.stopped !== undefined && before.stopped !== phase.stopped) {
      this.switchHost(this.#numbered(before.stopped), true);
    }
    if (phase.stopped !== undefined) this.switchHost(this.#numbered(phase.stopped), false);
    for (const { on, status, ...pattern } of phase.statuses ?? []) {
      this.setService({ ...pattern, host: this.#numbered(on).host.name }, status);
    }
    for (const { host, query } of phase.runaways ?? []) this.#startRunaway(this.#numbered(host), query, at);
  }

  #startRunaway({ load }: HostState, query: string, at: number): void {
    const graph = this.#graphs[0] ?? '';
    const order = { graph, query, parameters: 'depth=99&seed=a-31337', runsFor: 240_000, timeout: 600_000 };
    load.start(installedOrder({ ...order, detached: false }), at);
  }
}
