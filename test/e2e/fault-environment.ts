import { z } from 'zod';
import { isList } from '../../src/collect/collector.ts';
import type { CronTimes } from '../../src/kernel/system.ts';
import type { FaultName } from '../../src/simulator/faults/fault.ts';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts';
import { eventually } from '../support/child.ts';
import { FakeClock } from '../support/clock.ts';
import { sendUnchecked } from '../support/http.ts';
import { type InProcessDaemon, type Page, startInProcessDaemon } from '../support/in-process-daemon.ts';
import type { LogLine } from '../support/logger.ts';
import { listen } from '../support/reusable-port.ts';
import { watchingCollectors as collectors } from '../support/watching-collectors.ts';
import {
  affectedLists,
  affectedTargets,
  type CollectorTarget,
  delayedTargets,
  type FaultCase,
  pathOf,
} from './fault-cells.ts';

const interval = 1000;
const timeout = 100;
/** Requests that reach a server that hangs: the pool opens no more sockets. */
const socketsPerNode = 4;
/** Time after which a dripping server sends another byte. */
const dripWait = 250;

/** Time stands still while sockets are busy, so that a slow machine exceeds neither bound. */
const often = { enabled: true, interval: `${interval}ms`, timeout: `${timeout}ms` };
/** Settings of scheduled collectors, which the test also runs in each poll cycle. */
const byCalendar = { enabled: true, timeout: `${timeout}ms` };

const reportSchema = z.object({
  items: z.array(
    z.object({
      cluster: z.string(),
      collector: z.string(),
      node: z.string(),
      state: z.enum(['healthy', 'failing', 'unknown']),
      lastPoll: z.string().nullable(),
      source: z.string(),
      intervalSeconds: z.number().nullable(),
    }),
  ),
});

/** State of one collector target in the API. */
type Report = z.infer<typeof reportSchema>['items'][number];

interface EnvironmentParts {
  readonly clock: FakeClock;
  readonly servers: FakeClock;
  readonly daemon: InProcessDaemon;
  readonly simulators: ReadonlyMap<string, Simulator>;
  readonly calendar: CronCalls;
}

/** Scheduled calls, made when the test says so. */
class CronCalls {
  readonly #runs = new Set<() => void>();

  add(run: () => void): CronTimes {
    this.#runs.add(run);
    return { stop: () => void this.#runs.delete(run), next: () => undefined };
  }

  make(): void {
    for (const run of this.#runs) run();
  }
}

/**
 * One daemon that watches a cluster for each cell through real sockets. The test moves the clock from poll cycle to poll
 * cycle, and all collectors have the same cycle. The clock of the servers stands still otherwise.
 */
export class FaultEnvironment {
  readonly clock: FakeClock;
  readonly servers: FakeClock;
  readonly daemon: InProcessDaemon;
  readonly #simulators: ReadonlyMap<string, Simulator>;
  readonly #calendar: CronCalls;

  private constructor({ clock, servers, daemon, simulators, calendar }: EnvironmentParts) {
    this.clock = clock;
    this.servers = servers;
    this.daemon = daemon;
    this.#simulators = simulators;
    this.#calendar = calendar;
  }

  static async start(cases: readonly FaultCase[]): Promise<FaultEnvironment> {
    const [clock, servers] = [new FakeClock(), new FakeClock()];
    const calendar = new CronCalls();
    const simulators = new Map<string, Simulator>();
    for (const { cluster, nodes } of cases) {
      const options = { nodes, scenario: 'runaway_queries' } as const;
      simulators.set(cluster, await startSimulator(options, { listen, clock: servers }));
    }
    const daemon = await startInProcessDaemon(
      {
        clusters: [...simulators].map(([name, { nodes }]) => ({
          name,
          nodes: nodes.map(({ name: node, url }) => ({ name: node, url })),
          // The GSQL server requires a user, and accepts any.
          read_auth: { basic: { username: 'monitor', password: 'simulated' } },
          statements: { load: 'load.2' },
        })),
        limits: { body: '1MiB' },
        // A reported error is the state of a statement, which fires at once.
        alerts: { rules: { statement_failed: { enabled: false } } },
        collectors: Object.fromEntries(
          collectors.map(({ name, defaults: { schedule } }) => [name, schedule === undefined ? often : byCalendar]),
        ),
      },
      { clock, random: { next: () => 0 }, cron: (_, run) => calendar.add(run) },
    );
    const setup = new FaultEnvironment({ clock, daemon, servers, simulators, calendar });
    await setup.runPollCycle();
    return setup;
  }

  async stop(): Promise<void> {
    await this.daemon.stop();
    for (const simulator of this.#simulators.values()) await simulator.close();
  }

  /** Log lines since line `from`. */
  logged(from: number): readonly LogLine[] {
    return this.daemon.log.slice(from);
  }

  simulator(cluster: string): Simulator {
    const found = this.#simulators.get(cluster);
    if (found === undefined) throw new Error(`no cluster '${cluster}' is simulated`);
    return found;
  }

  /** Returns the cases; the faulty node of each is the source of the facts of the whole cluster. */
  async target(cases: readonly FaultCase[]): Promise<readonly FaultCase[]> {
    const reports = await this.reports();
    return cases.map((cell) => {
      const own = reports.filter(({ cluster, node }) => cluster === cell.cluster && node === '');
      const victim = cell.nodes > 1 ? (own[0]?.source ?? cell.faultyNode) : cell.faultyNode;
      const polled = own.filter(({ source }) => source === victim).map(({ collector }) => collector);
      return { ...cell, faultyNode: victim, delayed: cell.delayed.filter(({ name }) => polled.includes(name)) };
    });
  }

  /** Injects a fault in some cases; the returned function heals all of them. */
  async inject(fault: FaultName, where: readonly FaultCase[]): Promise<() => Promise<void>> {
    const heals = await Promise.all(
      where
        .filter(({ affectedCollectors }) => affectedCollectors.length > 0)
        .map(({ cluster, faultyNode, path }) =>
          this.simulator(cluster).control.injectFault(fault, { node: faultyNode, path }),
        ),
    );
    return async () => {
      for (const heal of heals) await heal();
    };
  }

  /** Moves to the next poll cycle and waits for every due poll. */
  async runPollCycle(): Promise<void> {
    await this.#toNextCycle();
    await this.#settled();
  }

  /** Moves to the next poll cycle and lets requests that hang time out; time passes for a dripping server. */
  async runHangingPollCycle(where: readonly FaultCase[], drips = false): Promise<void> {
    const hanging = new Set(where.flatMap((cell) => [...affectedTargets(cell), ...delayedTargets(cell)]).map(keyOf));
    const requests = new RequestCounts(where.map((cell) => [cell, this.simulator(cell.cluster)]));
    const lists = where.flatMap(affectedLists);
    const isBehind = (target: Report): boolean =>
      listNames.has(target.collector) &&
      requests.of(target) === 0 &&
      lists.some((list) => list.cluster === target.cluster && requests.of(list) > 0);
    await this.#toNextCycle();
    await this.#settled((late) => {
      const arrived = where.every((cell) => {
        const sent = late.filter((target) => target.cluster === cell.cluster && !isBehind(target));
        return requests.ofCase(cell) >= Math.min(sent.length, socketsPerNode);
      });
      return arrived && late.every((target) => hanging.has(keyOf(target)) || isBehind(target));
    });
    const second = new Set(lists.filter((list) => requests.of(list) === 0).map(keyOf));
    await this.#timeOut(drips);
    await this.#settled((late) => late.every((target) => second.has(keyOf(target)) && requests.of(target) > 0));
    await this.#timeOut(drips);
    await this.#settled();
  }

  async #timeOut(drips: boolean): Promise<void> {
    if (drips) await this.servers.advance(dripWait);
    await this.clock.advance(timeout);
  }

  /** Runs poll cycles until every collector is back at its configured interval. */
  async recover(): Promise<void> {
    for (let cycles = 0; ; cycles += 1) {
      const unusual = (await this.reports()).filter((one) => one.state !== 'healthy' || intervalOf(one) !== interval);
      if (unusual.length === 0) return;
      if (cycles === 20) throw new Error(`not regular again: ${JSON.stringify(unusual)}`);
      await this.runPollCycle();
    }
  }

  /** Returns the page as soon as `look` accepts it: a fallback to another node needs a moment. */
  async shows(look: (page: Page) => void): Promise<Page> {
    return eventually('the page is as expected', async () => {
      const page = await this.daemon.page();
      look(page);
      return page;
    });
  }

  async reports(): Promise<readonly Report[]> {
    // Not checked against the API document: it is requested many times in each poll cycle.
    const { text } = await sendUnchecked(`${this.daemon.url}/api/v1/collectors?limit=1000`);
    return reportSchema.parse(JSON.parse(text)).items;
  }

  async #toNextCycle(): Promise<void> {
    await this.clock.advance(interval - (this.clock.now().mono % interval));
    this.#calendar.make();
  }

  /** Waits until only such polls are due that `may` accepts as late. */
  async #settled(may: (late: readonly Report[]) => boolean = (late) => late.length === 0): Promise<void> {
    await eventually('all due polls are over', async () => {
      const { wall } = this.clock.now();
      const late = (await this.reports()).filter((report) => dueAt(report) <= wall);
      if (may(late)) return true;
      throw new Error(`still polling: ${late.map(keyOf).join(' ')}`);
    });
  }
}

const listNames = new Set(collectors.filter(isList).map(({ name }) => name));

/** Requests that the faulty nodes received since its creation. */
class RequestCounts {
  readonly #cases: readonly (readonly [FaultCase, Simulator, number])[];

  constructor(cases: readonly (readonly [FaultCase, Simulator])[]) {
    this.#cases = cases.map(([cell, simulator]) => [cell, simulator, simulator.calls().length]);
  }

  /** Returns the number of requests for the failing paths of a case. */
  ofCase(cell: FaultCase): number {
    return this.#count(cell.cluster, cell.path);
  }

  /** Returns the number of requests of a collector. */
  of({ cluster, collector }: CollectorTarget): number {
    return this.#count(cluster, pathOf({ name: collector }));
  }

  #count(cluster: string, path: RegExp): number {
    const [cell, simulator, from] = this.#cases.find(([one]) => one.cluster === cluster) ?? [];
    const calls = simulator?.calls().slice(from) ?? [];
    return calls.filter((call) => call.node === cell?.faultyNode && path.test(call.path)).length;
  }
}

/** Returns the key of a target in maps. */
export function keyOf({ cluster, collector, node }: CollectorTarget): string {
  return `${cluster}/${collector}/${node}`;
}

/** Returns the time of the next poll, counted from the cycle of the last one. */
function dueAt(report: Report): number {
  if (report.lastPoll === null) return 0;
  return Math.floor(Date.parse(report.lastPoll) / interval) * interval + intervalOf(report);
}

/** Returns the interval; scheduled collectors report none. */
function intervalOf({ intervalSeconds }: Report): number {
  return intervalSeconds === null ? interval : intervalSeconds * 1000;
}
