import { z } from 'zod';
import { collectors as all } from '../../../src/collect/all.ts';
import { systemFiles } from '../../../src/runtime/files.ts';
import type { ScenarioName } from '../../../src/simulator/world/scenarios.ts';
import { send } from '../../support/http.ts';
import { type GuardEnvironment, startEnvironment } from '../guard-environment.ts';
import { SeriesRecorder } from './series-recorder.ts';

/** Alert that fires, as one of the two engines reports it. */
export interface Firing {
  readonly alert: string;
  readonly severity: string;
  /** Labels that distinguish the alert from others of the same name. */
  readonly identity: Readonly<Record<string, string>>;
}

/** Metrics and firing alerts of graphwarden, scrape by scrape. */
export interface Recording {
  /** Seconds between two scrapes. */
  readonly every: number;
  /** Time of the first scrape in seconds since the epoch. */
  readonly start: number;
  /** Values by series, one for each scrape; undefined where the page does not have the series. */
  readonly series: ReadonlyMap<string, readonly (number | undefined)[]>;
  readonly firing: readonly (readonly Firing[])[];
  /** Collectors, probes and custom queries whose last poll succeeded on all nodes. */
  readonly polled: ReadonlySet<string>;
}

const alertPage = z.object({
  items: z.array(
    z.object({ phase: z.string(), severity: z.string(), labels: z.record(z.string(), z.string()), rule: z.string() }),
  ),
});

/** All collectors except the consistency checks, with their defaults except for the interval of inventories. */
const collectorsAt = (interval: string) =>
  Object.fromEntries(
    all
      .filter(({ defaults }) => defaults.schedule === undefined)
      .map(({ name, defaults }) => [name, { enabled: true, ...(!defaults.enabled && { interval, timeout: '5s' }) }]),
  );

const runaway = {
  name: 'runaway',
  when: { age: '> 20s', granted_timeout: '> 5m' },
  confirm: { observations: 2, apart: '4s' },
  grace: '5s',
  mode: 'enforce',
};

/** A custom query and a probe, for runs with everything on; other scenarios make them fail, as they should. */
const configured = {
  custom: [
    {
      name: 'graph_totals',
      graph: 'fraud',
      statement: 'INTERPRET QUERY () FOR GRAPH fraud { PRINT all.size() AS vertices; }',
      interval: '10s',
      timeout: '5s',
      metrics: [{ name: 'fraud_vertices', help: 'Number of vertices.', value: 'vertices' }],
    },
  ],
  probes: [{ name: 'account', graph: 'fraud', interval: '10s', timeout: '5s', vertex: { type: 'Account', id: 'a-1' } }],
};

/** The names that {@link Recording.polled} has if everything is on and works. */
export const everything: ReadonlySet<string> = new Set([
  ...Object.keys(collectorsAt('10s')),
  ...configured.custom.map(({ name }) => `custom_${name}`),
  ...configured.probes.map(({ name }) => `probe_${name}`),
]);

/** The GSQL server requires a user, and accepts any. */
const anyUser = { basic: { username: 'monitor', password: 'simulated' } };

/** Simulated scenario with its duration and scrape interval. */
export interface ScenarioRun {
  readonly scenario: ScenarioName;
  readonly minutes: number;
  /** Seconds between two scrapes. */
  readonly every: number;
  /** Number of nodes; 3 by default. */
  readonly nodes?: number;
  /** Speed of the scenario; 1 by default. */
  readonly speed?: number;
  /** Interval of the collectors that are disabled by default; 10s by default, because most runs are shorter than theirs. */
  readonly inventoryInterval?: string;
  /** Further fields of the cluster in the configuration. */
  readonly cluster?: Readonly<Record<string, unknown>>;
  /** Action before the first scrape. */
  readonly begin?: (environment: GuardEnvironment) => void;
  /** Actions during the run, by their time in seconds, which is that of a scrape. */
  readonly actions?: Readonly<Record<number, (environment: GuardEnvironment) => unknown>>;
}

/** Runs a scenario on a clock that stands still while work is in progress, and records only `families`. */
export async function record(run: ScenarioRun, families: ReadonlySet<string>): Promise<Recording> {
  const { scenario, minutes, every, nodes = 3, speed = 1, cluster = {}, begin, actions = {} } = run;
  const { inventoryInterval = '10s' } = run;
  const environment = await startEnvironment({
    simulated: { nodes, scenario, speed },
    isInMemory: scenario !== 'bad_server',
    cluster: {
      labels: { env: 'live' },
      read_auth: anyUser,
      abort_auth: anyUser,
      statements: { bulk_load: 'load.2' },
      ...cluster,
    },
    guard: { mode: 'enforce', policies: [runaway] },
    collectors: collectorsAt(inventoryInterval),
    ...(scenario === 'calm' && { more: configured }),
    // The guard looks for its pause file often, or waits for a change of its folder.
    world: { files: { ...systemFiles, presence: async () => 'absent', watch: () => () => undefined } },
  });
  let last = '';
  const start = environment.clock.now().wall / 1000;
  const scrapes = Math.floor((minutes * 60) / every);
  const recorder = new SeriesRecorder(families, scrapes);
  const firing: (readonly Firing[])[] = [];
  try {
    begin?.(environment);
    for (let scrape = 0; scrape < scrapes; scrape += 1) {
      await environment.run(every * 1000);
      await actions[scrape * every]?.(environment);
      const { url } = environment.daemon();
      last = (await send(`${url}/metrics`)).text;
      recorder.add(scrape, last);
      firing.push(await firingAt(url));
    }
  } finally {
    await environment.stop();
  }
  return { every, start: start + every, series: recorder.series, firing, polled: polledIn(last) };
}

function polledIn(page: string): Recording['polled'] {
  const polls = [...page.matchAll(/^graphwarden_collector_success\{.*\bcollector="([^"]*)".*\} (\d)$/gm)];
  const failed = new Set(polls.filter(([, , success]) => success !== '1').map(([, name]) => name));
  return new Set(polls.flatMap(([, name = '']) => (failed.has(name) ? [] : [name])));
}

async function firingAt(url: string): Promise<readonly Firing[]> {
  const page = alertPage.parse(JSON.parse((await send(`${url}/api/v1/alerts?phase=firing&limit=1000`)).text));
  return page.items.map(({ severity, labels: { alertname = '', ...labels } }) => ({
    alert: alertname,
    severity,
    identity: Object.fromEntries(
      Object.entries(labels).filter(([label, value]) => label !== 'severity' && value !== ''),
    ),
  }));
}
