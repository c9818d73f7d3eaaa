import type { Millis } from '../../kernel/time.ts';
import type { ServiceStatus } from '../../model/service.ts';
import { FaultInjector } from '../faults/fault.ts';
import type { SimulatorSettings } from '../options.ts';
import { seededRandom } from '../seeded-random.ts';
import { createTopology, type SimulatedHost, type Topology } from '../topology.ts';
import { type ServerRelease, serverRelease } from '../versions.ts';
import { type SimulatedAccounts, simulatedAccounts } from './accounts.ts';
import { type ClientDemand, ClientTraffic } from './client-traffic.ts';
import { ConsistencyResults } from './consistency-results.ts';
import { type DefinedQuery, definedQueries } from './defined-queries.ts';
import { type EventSource, runEventsUntil } from './event-source.ts';
import { type GraphCounts, graphCounts } from './graph-counts.ts';
import { SimulatedHeartbeatRows } from './heartbeat-rows.ts';
import { type MeasurementContext, measureCapacity, measureDisks, measureNetwork } from './host-measurements.ts';
import { type HostMeasurement, Informant } from './informant.ts';
import { loadingJobs, type SimulatedLoading } from './loading-jobs.ts';
import { NodeLoad } from './node-load.ts';
import { installedQuery } from './query.ts';
import { type ActivePhase, ScenarioRunner } from './scenario-runner.ts';
import type { Phase, ScenarioName } from './scenarios.ts';
import { type InstancePattern, ServiceStatuses } from './service-statuses.ts';
import { type EndpointRecord, summarizeEndpoints } from './statistics.ts';

/** State of one host. */
export interface HostState {
  readonly host: SimulatedHost;
  readonly load: NodeLoad;
  /** Whether the host is down, with all of its services. */
  isDown: boolean;
  /** Ms since the epoch. */
  bootedAt: number;
}

/** Clock skew of the fault `clock_skew`. */
const faultClockSkew: Millis = 3_600_000;

/** Initial age of the world, so that lists and statistics are not empty. */
const initialAge: Millis = 130_000;
const day: Millis = 86_400_000;

/**
 * State of the simulated cluster, without its network. Only {@link World.advance} moves it forward. Times are ms since
 * the epoch; the clock of a host is ahead of them by its {@link World.clockOffset}.
 */
export class World {
  readonly settings: SimulatorSettings;
  readonly release: ServerRelease;
  readonly topology: Topology;
  readonly hosts: readonly HostState[];
  readonly serviceStatuses: ServiceStatuses;
  readonly consistencyResults: ConsistencyResults;
  readonly informant: Informant;
  readonly faultInjector: FaultInjector;
  readonly heartbeatRows = new SimulatedHeartbeatRows();
  /** Graphs in the order of their rebuilds. */
  readonly rebuiltGraphs: string[] = [];
  readonly licenseExpiresAt: number;
  readonly #scenarioRunner: ScenarioRunner;
  readonly #eventSources: readonly EventSource[];
  readonly #beganAt: number;
  #graphs: readonly string[];
  #now: number;

  constructor(settings: SimulatorSettings, at: number) {
    this.settings = settings;
    this.release = serverRelease(settings.version);
    this.topology = createTopology(settings.nodes, this.release, settings.instancesPerNode);
    this.#beganAt = at - initialAge;
    this.#now = this.#beganAt;
    this.#graphs = settings.graphs;
    this.serviceStatuses = new ServiceStatuses(this.topology, this.#beganAt);
    this.consistencyResults = new ConsistencyResults(this.topology);
    this.licenseExpiresAt = (Math.floor(at / day) + settings.licenseDays) * day;
    const { speed } = settings;
    this.#scenarioRunner = new ScenarioRunner({ scenario: 'calm', speed, at }, (...change) =>
      this.#changePhase(...change),
    );
    this.faultInjector = new FaultInjector(() => this.#scenarioRunner.activePhase.phase.fault);
    this.hosts = this.topology.hosts.map((host) => this.#createHost(host));
    this.informant = new Informant(this.#instruments(), this.#beganAt);
    this.#eventSources = [
      ...this.hosts.map(({ load }) => load),
      ...this.#createTraffic(),
      this.informant,
      this.#scenarioRunner,
    ];
    this.advance(at);
    this.startScenario(settings.scenario);
  }

  get now(): number {
    return this.#now;
  }

  get graphs(): readonly string[] {
    return this.#graphs;
  }

  get scenario(): ScenarioName {
    return this.#scenarioRunner.scenario;
  }

  /** Time of the next change of the scenario. */
  get nextChangeAt(): number {
    return this.#scenarioRunner.nextEventAt();
  }

  /** Advances the time to `at`; has no effect if that is in the past. */
  advance(at: number): void {
    runEventsUntil(this.#eventSources, at);
    this.#now = Math.max(this.#now, at);
  }

  startScenario(scenario: ScenarioName): void {
    this.#scenarioRunner.start(scenario, this.#now);
  }

  addGraph(name: string): void {
    if (!this.#graphs.includes(name)) this.#graphs = [...this.#graphs, name];
  }

  /** Stops a host with all of its services, or starts it again. */
  switchHost(state: HostState, on: boolean): void {
    if (state.isDown !== on) return;
    state.isDown = !on;
    state.load.clear();
    if (on) state.bootedAt = this.#now;
    this.serviceStatuses.set({ host: state.host.name }, on ? 'Online' : 'Down', this.#now);
  }

  setService(pattern: InstancePattern, status: ServiceStatus): number {
    return this.serviceStatuses.set(pattern, status, this.#now);
  }

  /** Whether the node accepts connections. */
  isReachable({ host, isDown }: HostState): boolean {
    return !isDown && !this.faultInjector.affectsNode(host.name, 'connection_refused');
  }

  /** Returns the time by which the clock of a host is ahead of the true time. */
  clockOffset(host: SimulatedHost): Millis {
    return this.settings.clockSkew + (this.faultInjector.affectsNode(host.name, 'clock_skew') ? faultClockSkew : 0);
  }

  /** Returns the time of the clock of a host. */
  hostTime(host: SimulatedHost): number {
    return this.#now + this.clockOffset(host);
  }

  /** Returns the statistics of a node's endpoints in the last seconds, optionally of one graph only. */
  statistics(
    { load }: HostState,
    window: { readonly seconds: number; readonly segments: number; readonly graph?: string },
  ): Readonly<Record<string, EndpointRecord>> {
    const ended = load.endedSince(this.#now - window.seconds * 1000);
    const { graph } = window;
    return summarizeEndpoints(graph === undefined ? ended : ended.filter((query) => query.graph === graph), window);
  }

  /** Returns the numbers of vertices and edges of each graph. */
  graphCounts(): GraphCounts {
    const isCleared = this.#scenarioRunner.activePhase.phase.isCleared ?? false;
    return graphCounts(this.#now - this.#beganAt, isCleared, this.settings.extraTypes);
  }

  /** Returns the numbers that were stored for the optimizer when the world began. */
  storedCounts(): GraphCounts {
    return graphCounts(0, false, this.settings.extraTypes);
  }

  /** Whether a change of the schema was made. */
  get isSchemaChanged(): boolean {
    return this.#scenarioRunner.activePhase.phase.isSchemaChanged ?? false;
  }

  /** Whether the input of the loading jobs is bad. */
  get isLoadBad(): boolean {
    return this.#scenarioRunner.activePhase.phase.isLoadBad ?? false;
  }

  /** Returns the version of the schema that a node applies; the last of several nodes misses a change. */
  schemaVersion({ host }: HostState): number {
    const missed = host.index > 0 && host.index === this.hosts.length - 1;
    return this.isSchemaChanged && !missed ? 2 : 1;
  }

  /** Returns the queries that are defined on each graph. */
  definedQueries(): readonly DefinedQuery[] {
    return definedQueries(this.isSchemaChanged);
  }

  /** Returns the latest runs of the loading jobs of each graph. */
  loadingJobs(): readonly SimulatedLoading[] {
    const badSince = this.isLoadBad ? this.#scenarioRunner.activePhase.from : undefined;
    return loadingJobs({ worldBeganAt: this.#beganAt, now: this.#now, badSince });
  }

  /** Returns users and groups. */
  accounts(): SimulatedAccounts {
    const { phase, from } = this.#scenarioRunner.activePhase;
    return simulatedAccounts(phase.isIntruded === true ? this.#now - from : undefined);
  }

  #createHost(host: SimulatedHost): HostState {
    const { maxConcurrentQueries: running, maxDelayQueueSize: delayed } = this.settings;
    const limits = { OLTP: { running, delayed }, AdHoc: { running: Math.ceil(running / 5), delayed } };
    const load = new NodeLoad(host, { limits, clockOffset: () => this.clockOffset(host) });
    // The hosts booted days before the world began, so that the network counters are large.
    const bootedAt = this.#beganAt - (3 + host.index) * day;
    return { host, load, isDown: false, bootedAt };
  }

  #createTraffic(): readonly EventSource[] {
    return this.hosts.map((state) => {
      const random = seededRandom(this.settings.seed * 1009 + state.host.index);
      return new ClientTraffic(state.load, () => this.#demand(state), { from: this.#beganAt, random });
    });
  }

  #demand({ isDown }: HostState): ClientDemand {
    const { loadFactor = 1, durationFactor = 1 } = this.#scenarioRunner.activePhase.phase;
    return {
      open: !isDown && this.#graphs.length > 0,
      graphs: this.#graphs,
      perSecond: 1.3 * loadFactor,
      slowness: durationFactor,
    };
  }

  #instruments(): ConstructorParameters<typeof Informant>[0] {
    return {
      capacity: (at) =>
        this.#measure(at, (state, context) =>
          measureCapacity(context, this.serviceStatuses.entries, state.load.running.length),
        ),
      disks: (at) =>
        this.#measure(at, ({ host }, context) =>
          measureDisks(context, at - this.#beganAt, this.#diskFillRatio(host, at)),
        ),
      network: (at) =>
        this.#measure(at, ({ bootedAt, load }, context) => measureNetwork(context, bootedAt, load.running.length)),
      endpoints: (at) =>
        this.#measure(at, ({ load }) =>
          summarizeEndpoints(load.endedSince(at - 60_000), { seconds: 60, segments: 10 }),
        ),
      statuses: () => this.serviceStatuses.entries,
    };
  }

  #measure<Value>(
    at: number,
    measure: (state: HostState, context: MeasurementContext) => Value,
  ): readonly HostMeasurement<Value>[] {
    return this.hosts
      .filter(({ isDown }) => !isDown)
      .map((state) => {
        const { host } = state;
        return { host, at, measurement: measure(state, { host, seed: this.settings.seed, at }) };
      });
  }

  #diskFillRatio(host: SimulatedHost, at: number): number {
    const { phase, from, until } = this.#scenarioRunner.activePhase;
    const { filling } = phase;
    if (filling === undefined || this.#hostByNumber(filling.host).host !== host) return 0;
    return filling.from + ((filling.to - filling.from) * (at - from)) / (until - from);
  }

  #hostByNumber(number: number): HostState {
    const state = this.hosts[number % this.hosts.length];
    if (state === undefined) throw new Error('a cluster has at least one host');
    return state;
  }

  #changePhase(at: number, before: Phase, { phase }: ActivePhase): void {
    this.#now = Math.max(this.#now, at);
    for (const { on, status: _, ...pattern } of before.statuses ?? []) {
      const state = this.#hostByNumber(on);
      if (!state.isDown) this.setService({ ...pattern, host: state.host.name }, 'Online');
    }
    if (before.stopped !== undefined && before.stopped !== phase.stopped) {
      this.switchHost(this.#hostByNumber(before.stopped), true);
    }
    if (phase.stopped !== undefined) this.switchHost(this.#hostByNumber(phase.stopped), false);
    for (const { on, status, ...pattern } of phase.statuses ?? []) {
      this.setService({ ...pattern, host: this.#hostByNumber(on).host.name }, status);
    }
    for (const { host, query, isDetached = false } of phase.runaways ?? [])
      this.#startRunaway(this.#hostByNumber(host), { query, detached: isDetached }, at);
  }

  #startRunaway({ load }: HostState, wanted: { readonly query: string; readonly detached: boolean }, at: number): void {
    const graph = this.#graphs[0] ?? '';
    const properties = { graph, ...wanted, parameters: 'depth=99&seed=a-31337', runsFor: 240_000, timeout: 600_000 };
    load.start(installedQuery(properties), at);
  }
}
