import { z } from 'zod';
import { collectors } from '../../src/collect/all.ts';
import type { FaultName } from '../../src/simulator/faults/names.ts';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts';
import { eventually } from '../support/child.ts';
import { FakeClock } from '../support/clock.ts';
import { readJson } from '../support/http.ts';
import type { LogLine } from '../support/logger.ts';
import { listen } from '../support/returning-port.ts';
import { type Page, startWarden, type Warden } from '../support/warden.ts';
import { type Cell, delayedPlaces, type Place, struckPlaces } from './fault-cells.ts';

const interval = 1000;
const timeout = 100;
/** More do not reach a server that hangs. */
const socketsPerNode = 4;
/** Long enough for a server that drips to send another byte. */
const drip = 250;

/** Time stands still while sockets are busy, so neither bound can be missed for want of speed. */
const often = { every: `${interval}ms`, timeout: `${timeout}ms` };
/** What goes by calendar is called at every beat as well. */
const byCalendar = { enabled: true, timeout: `${timeout}ms` };

const reportSchema = z.object({
  items: z.array(
    z.object({
      cluster: z.string(),
      collector: z.string(),
      node: z.string(),
      state: z.enum(['good', 'failing', 'waiting']),
      lastReading: z.string().nullable(),
      source: z.string(),
      intervalSeconds: z.number().nullable(),
    }),
  ),
});

/** What the API tells of one place. */
type Report = z.infer<typeof reportSchema>['items'][number];

interface Parts {
  readonly clock: FakeClock;
  readonly servers: FakeClock;
  readonly warden: Warden;
  readonly simulators: ReadonlyMap<string, Simulator>;
  readonly cells: readonly Cell[];
  readonly calendar: Calls;
}

/** What a calendar calls when its day has come. */
class Calls {
  readonly #runs = new Set<() => void>();

  add(run: () => void): { readonly stop: () => void } {
    this.#runs.add(run);
    return { stop: () => void this.#runs.delete(run) };
  }

  make(): void {
    for (const run of this.#runs) run();
  }
}

/**
 * One daemon that watches a cluster for each cell through real sockets, on a clock that the test moves from beat to
 * beat. All beats fall together. The clock of the servers stands still by itself.
 */
export class FaultScene {
  readonly clock: FakeClock;
  readonly servers: FakeClock;
  readonly warden: Warden;
  readonly #simulators: ReadonlyMap<string, Simulator>;
  readonly #cells: readonly Cell[];
  readonly #calendar: Calls;

  private constructor({ clock, servers, warden, simulators, cells, calendar }: Parts) {
    this.clock = clock;
    this.servers = servers;
    this.warden = warden;
    this.#simulators = simulators;
    this.#cells = cells;
    this.#calendar = calendar;
  }

  static async start(watched: readonly Cell[]): Promise<FaultScene> {
    const [clock, servers] = [new FakeClock(), new FakeClock()];
    const calendar = new Calls();
    const simulators = new Map<string, Simulator>();
    for (const { cluster, nodes } of watched) {
      const options = { nodes, scenario: 'runaway_queries' } as const;
      simulators.set(cluster, await startSimulator(options, { listen, clock: servers }));
    }
    const warden = await startWarden(
      {
        clusters: [...simulators].map(([name, { nodes }]) => ({
          name,
          nodes: nodes.map(({ name: node, url }) => ({ name: node, url })),
        })),
        limits: { body: '4MiB' },
        collectors: Object.fromEntries(
          collectors.map(({ name, defaults: { cron } }) => [name, cron === undefined ? often : byCalendar]),
        ),
      },
      { clock, random: { next: () => 0 }, cron: (_, run) => calendar.add(run) },
    );
    const scene = new FaultScene({ clock, warden, servers, simulators, cells: watched, calendar });
    await scene.beat();
    return scene;
  }

  async stop(): Promise<void> {
    await this.warden.stop();
    for (const simulator of this.#simulators.values()) await simulator.close();
  }

  /** What was logged since line `from`. */
  logged(from: number): readonly LogLine[] {
    return this.warden.log.slice(from);
  }

  simulator(cluster: string): Simulator {
    const found = this.#simulators.get(cluster);
    if (found === undefined) throw new Error(`no cluster '${cluster}' is simulated`);
    return found;
  }

  /** The cells, each with that node for a victim which most facts of its whole cluster come from. */
  async aim(): Promise<readonly Cell[]> {
    const reports = await this.reports();
    return this.#cells.map((cell) => {
      const own = reports.filter(({ cluster, node }) => cluster === cell.cluster && node === '');
      const victim = cell.nodes > 1 ? (own[0]?.source ?? cell.victim) : cell.victim;
      const asked = own.filter(({ source }) => source === victim).map(({ collector }) => collector);
      return { ...cell, victim, delayed: cell.delayed.filter(({ name }) => asked.includes(name)) };
    });
  }

  /** Lets a fault strike in some cells; what is answered ends it everywhere. */
  async inject(fault: FaultName, where: readonly Cell[]): Promise<() => Promise<void>> {
    const heals = await Promise.all(
      where
        .filter(({ struck }) => struck.length > 0)
        .map(({ cluster, victim, path }) => this.simulator(cluster).control.inject(fault, { node: victim, path })),
    );
    return async () => {
      for (const heal of heals) await heal();
    };
  }

  /** Moves to the next beat and lets every reading that is due end by itself. */
  async beat(): Promise<void> {
    await this.#toNextBeat();
    await this.#settled();
  }

  /** Moves to the next beat, at which what hangs is asked for and runs out of time; time passes for a server that drips. */
  async hangingBeat(where: readonly Cell[], drips = false): Promise<void> {
    const hanging = new Set(where.flatMap((cell) => [...struckPlaces(cell), ...delayedPlaces(cell)]).map(keyOf));
    const before = new Map(where.map((cell) => [cell, this.#asked(cell)]));
    await this.#toNextBeat();
    await this.#settled((late) => {
      const arrived = [...before].every(([cell, asked]) => {
        const waiting = late.filter(({ cluster }) => cluster === cell.cluster).length;
        return this.#asked(cell) - asked >= Math.min(waiting, socketsPerNode);
      });
      return arrived && late.every((place) => hanging.has(keyOf(place)));
    });
    if (drips) await this.servers.advance(drip);
    await this.clock.advance(timeout);
    await this.#settled();
  }

  /** Beats until nothing is read less often than configured. */
  async calmDown(): Promise<void> {
    for (let beats = 0; ; beats += 1) {
      const unusual = (await this.reports()).filter((one) => one.state !== 'good' || intervalOf(one) !== interval);
      if (unusual.length === 0) return;
      if (beats === 20) throw new Error(`not regular again: ${JSON.stringify(unusual)}`);
      await this.beat();
    }
  }

  /** The page, once `look` does not throw any more: what stands in for others follows a moment later. */
  async shows(look: (page: Page) => void): Promise<Page> {
    return eventually('the page is as it must be', async () => {
      const page = await this.warden.page();
      look(page);
      return page;
    });
  }

  async reports(): Promise<readonly Report[]> {
    return reportSchema.parse(await readJson(`${this.warden.url}/api/v1/collectors?limit=1000`)).items;
  }

  async #toNextBeat(): Promise<void> {
    await this.clock.advance(interval - (this.clock.now().mono % interval));
    this.#calendar.make();
  }

  /** Waits until the readings that are still due are such as `may` be late. */
  async #settled(may: (late: readonly Report[]) => boolean = (late) => late.length === 0): Promise<void> {
    await eventually('all readings that are due are over', async () => {
      const { wall } = this.clock.now();
      const late = (await this.reports()).filter((report) => dueAt(report) <= wall);
      if (may(late)) return true;
      throw new Error(`still reading: ${late.map(keyOf).join(' ')}`);
    });
  }

  /** How often the victim of a cell was asked for what the fault strikes. */
  #asked({ cluster, victim, path }: Cell): number {
    const calls = this.simulator(cluster).calls();
    return calls.filter((call) => call.node === victim && path.test(call.path)).length;
  }
}

/** Names a place in maps. */
export function keyOf({ cluster, collector, node }: Place): string {
  return `${cluster}/${collector}/${node}`;
}

/** The beat of the next reading, counted from the beat of the last one. */
function dueAt(report: Report): number {
  if (report.lastReading === null) return 0;
  return Math.floor(Date.parse(report.lastReading) / interval) * interval + intervalOf(report);
}

/** What goes by calendar tells of no interval. */
function intervalOf({ intervalSeconds }: Report): number {
  return intervalSeconds === null ? interval : intervalSeconds * 1000;
}
