import { Board } from '../collect/board.ts';
import type { Config } from '../config/config.ts';
import type { Page } from '../expose/page.ts';
import { actionChange } from '../guard/keeping/action-rows.ts';
import { same } from '../kernel/same.ts';
import type { Millis } from '../kernel/time.ts';
import { alertRoutes } from './alert-routes.ts';
import { apiRoutes } from './api-routes.ts';
import type { App, AppPorts } from './app.ts';
import { CallDurations } from './call-metrics.ts';
import { clusterShowings } from './cluster-metrics.ts';
import { EventHub, eventsRoute } from './event-stream.ts';
import { forgetRoute } from './forget-route.ts';
import { guardAuditRoute } from './guard-audit-routes.ts';
import { guardRoutes } from './guard-routes.ts';
import { isGuarded } from './guarded.ts';
import { openIncidentLine } from './incident-line.ts';
import { type IncidentSources, incidentShowings } from './incident-metrics.ts';
import { landingRoute } from './landing-route.ts';
import { lifecycleRoutes } from './lifecycle-routes.ts';
import { metricsReferenceRoute } from './metrics-reference-route.ts';
import { metricsRoute } from './metrics-route.ts';
import { openApiRoute } from './openapi.ts';
import { pageSamples } from './page-metrics.ts';
import type { AppParts } from './parts.ts';
import { plan } from './plan.ts';
import { probeRoute } from './probe-route.ts';
import { type QuerySources, queryShowings } from './query-metrics.ts';
import { queriesRoute } from './query-routes.ts';
import { createHandler, isPublicPath, type Route, routePrefix } from './routes.ts';
import { Scheduler } from './scheduler.ts';
import { ShownSources } from './shown-sources.ts';
import type { Site } from './site.ts';
import type { Situations } from './situations.ts';
import type { Tracing } from './tracing.ts';
import { trackerRoutes } from './tracker-routes.ts';
import { type Wanted, Watch, type WatchContext } from './watch.ts';

/** How often what is overdue is looked for. */
const tick: Millis = 1000;

/** How long the end waits for the answers to aborts. */
const abortsWithin: Millis = 3000;

/** How long the end waits for receivers. */
const lastPostWithin: Millis = 2000;

/** Puts an application together from given parts; {@link createApp} gives it the real ones. */
export function assembleApp(config: Config, ports: AppPorts, parts: AppParts): App {
  const board = new Board();
  const hub = new EventHub(ports.clock);
  const watches = (): readonly Watch[] => life.watches();
  const scheduler = new Scheduler(ports);
  const line = openIncidentLine(config, { ports, parts, board, hub, scheduler, watches });
  const { pipeline, incidents, alerts, guard } = line;
  const calls = new CallDurations();
  const openCluster: AppParts['openCluster'] = (settings, options) =>
    parts.openCluster(settings, {
      ...options,
      heard: (list) => line.heard(list),
      called: (call) => calls.count(settings.name, call),
    });
  const context = { ...cyclePorts(config, ports), openCluster, board, scheduler, calls, ...line };
  const life = new Life(config, parts, context);
  const site: Site = {
    ports,
    parts,
    board,
    pipeline,
    incidents,
    alerts,
    guard,
    config: () => life.config,
    watches,
    isReady: () => life.isReady(),
    isStuck: () => scheduler.isStuck(),
  };
  const prefix = (): string => routePrefix(life.config.externalUrl);
  const routes = routesOf(site, hub, prefix);
  return {
    handler: createHandler(routes, prefix),
    isPublic: (path) => isPublicPath(routes, path, prefix()),
    start: () => life.start(),
    reconfigure: (next) => life.reconfigure(next),
    pauseGuard: () => void guard.pause('SIGUSR2', 'signal'),
    stop: () => {
      hub.end();
      return life.stop();
    },
  };
}

/** Aborts and notices are few, and traced where anything is; whether cycles are is a choice of its own. */
function cyclePorts({ tracing }: Config, { spans, ...ports }: AppPorts): AppPorts {
  return tracing.cycles && spans !== undefined ? { ...ports, spans } : ports;
}

/** Everything that can be asked for. */
function routesOf(site: Site, hub: EventHub, prefix: () => string): readonly Route[] {
  const routes: readonly Route[] = [
    landingRoute(site, prefix),
    metricsReferenceRoute(site, prefix),
    metricsRoute(site),
    probeRoute(site),
    ...lifecycleRoutes(site),
    ...apiRoutes(site),
    queriesRoute(site),
    ...trackerRoutes({
      store: site.ports.store,
      views: () => site.incidents.views(),
      now: () => site.ports.clock.now(),
    }),
    guardAuditRoute({ store: site.ports.store, now: () => site.ports.clock.now() }),
    forgetRoute({
      log: site.ports.log,
      config: () => site.config(),
      forget: (replica, act) => site.incidents.forget(replica, [actionChange(act, site.ports.random)]),
      now: () => site.ports.clock.now(),
    }),
    ...alertRoutes({
      rules: site.parts.rules.map(({ name }) => name),
      ...site.ports,
      config: () => site.config(),
      alerts: () => site.alerts.alerts(),
      silences: () => site.alerts.silences(site.ports.clock.now()),
      silence: (silence, act) => site.incidents.silence(silence, [actionChange(act, site.ports.random)]),
      unsilence: (id, act) => site.incidents.unsilence(id, [actionChange(act, site.ports.random)]),
      now: () => site.ports.clock.now(),
    }),
    ...guardRoutes({ log: site.ports.log, config: () => site.config(), control: () => site.guard }),
    eventsRoute(hub),
    openApiRoute(() => routes, { version: site.ports.build.version, server: prefix }),
  ];
  return routes;
}

interface LifeContext extends WatchContext, IncidentSources, QuerySources {
  readonly tracing?: Tracing;
  readonly calls: CallDurations;
  readonly situations: Situations;
}

/** Starts, changes and ends the watches; one thing after the other. */
class Life {
  config: Config;
  readonly #parts: AppParts;
  readonly #context: LifeContext;
  readonly #watches = new Map<string, Watch>();
  readonly #facts = new ShownSources();
  readonly #stopped = new AbortController();
  #line: Promise<void> = Promise.resolve();
  #beat: Promise<void> = Promise.resolve();
  #started = false;
  #wasReady = false;

  constructor(config: Config, parts: AppParts, context: LifeContext) {
    this.config = config;
    this.#parts = parts;
    this.#context = context;
  }

  watches(): readonly Watch[] {
    return this.config.clusters.flatMap(({ name }) => this.#watches.get(name) ?? []);
  }

  isReady(): boolean {
    if (this.#stopped.signal.aborted) return false;
    this.#wasReady ||= this.#started && this.#firstRoundIsOver();
    return this.#wasReady;
  }

  start(): Promise<void> {
    return this.#inLine(async () => {
      if (this.#started) return;
      this.#context.guard.start();
      await this.#becomeConfigured();
      this.#started = true;
      this.#beat = this.#tick();
    });
  }

  reconfigure(config: Config): Promise<void> {
    return this.#inLine(async () => {
      const { limits } = this.config;
      this.config = config;
      await this.#becomeConfigured();
      if (same(limits, config.limits)) return;
      const page = this.#parts.createPage(config.limits);
      await this.#context.pipeline.moveTo(page, () => this.#show(page));
    });
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    // What is under way of a reload may take its time: nothing is aborted in the meantime.
    await Promise.all([this.#within(abortsWithin, (signal) => this.#context.guard.stop(signal)), this.#line]);
    await Promise.all([...this.#watches.values()].map((watch) => watch.stop()));
    await this.#context.scheduler.idle();
    await this.#beat;
    await this.#lastPost();
  }

  /** What is owed and due goes out before the end, if that is soon; the rest is in the store. */
  #lastPost(): Promise<void> {
    return this.#within(lastPostWithin, (signal) => this.#context.deliverer.stop(signal));
  }

  async #within(length: Millis, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const over = new AbortController();
    const late = this.#context.clock.sleep(length, over.signal).then(() => over.abort());
    await work(over.signal);
    over.abort();
    await late;
  }

  /** In the order of the configuration, so that the first cluster has the first rank on the page. */
  async #becomeConfigured(): Promise<void> {
    if (this.#stopped.signal.aborted) return;
    await this.#context.tracing?.recall(this.#followed());
    await this.#context.incidents.follow({ ...this.config, clusters: this.#followed() });
    if (this.#stopped.signal.aborted) return;
    this.#context.guard.follow(this.config);
    this.#context.ages.bound(this.config.limits);
    for (const [name, watch] of this.#watches) {
      if (this.config.clusters.every((cluster) => cluster.name !== name)) await this.#end(name, watch);
    }
    for (const wanted of this.#wanted()) {
      const { name } = wanted.settings;
      const watch = this.#watches.get(name);
      if (watch !== undefined) await watch.reconfigure(wanted);
      else await this.#begin(name, wanted);
    }
    await this.#show(this.#context.pipeline.page);
  }

  /** Where there are sidecars, who watches the cluster follows its services. */
  #followed(): readonly string[] {
    return this.config.scope === 'node' ? [] : this.config.clusters.map(({ name }) => name);
  }

  async #begin(name: string, wanted: Wanted): Promise<void> {
    const watch = new Watch(wanted, this.#context);
    this.#watches.set(name, watch);
    await watch.start();
  }

  async #end(name: string, watch: Watch): Promise<void> {
    this.#watches.delete(name);
    await watch.stop();
    const { pipeline, ages, calls, tracing, situations } = this.#context;
    await pipeline.declare(name, []);
    // The queries that are lost with it become spans: the rest of what was traced is forgotten after them.
    for (const one of [ages, calls, tracing, situations]) one?.forget(name);
  }

  *#wanted(): Generator<Wanted> {
    const { clusters, limits, guard } = this.config;
    const planned = plan(this.#parts.collectors, this.config);
    for (const settings of clusters) {
      const link = { bodyLimit: limits.body, guarded: isGuarded(settings, guard) };
      yield { settings, planned, link };
    }
  }

  #firstRoundIsOver(): boolean {
    return this.watches().every((watch) => watch.isSettled()) && this.#context.scheduler.firstRoundIsOver();
  }

  async #tick(): Promise<void> {
    const { clock, pipeline, incidents, guard } = this.#context;
    while (!this.#stopped.signal.aborted) {
      await pipeline.expire(clock.now());
      incidents.beat(clock.now());
      guard.beat(clock.now());
      await this.#show(pipeline.page);
      await clock.sleep(tick, this.#stopped.signal);
    }
  }

  #show(page: Page): Promise<void> {
    const { clock } = this.#context;
    const watches = this.watches();
    const incidents = incidentShowings(this.#context, watches, clock.now());
    const queries = queryShowings(this.#context, watches, clock.now());
    const missing = { labels: {}, samples: pageSamples(this.#facts.dropped) };
    const all = [...clusterShowings(watches), ...incidents, ...queries, ['page', missing] as const];
    return this.#facts.show(page, new Map(all));
  }

  #inLine(work: () => Promise<void>): Promise<void> {
    const turn = this.#line.then(work);
    this.#line = turn.catch(() => undefined);
    return turn;
  }
}
