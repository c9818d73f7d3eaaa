import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type AlertReport, alertSchema } from '../../src/api/alerts.ts';
import { isOngoing, nodeStateText } from '../../src/api/cluster-state.ts';
import { clusterSchema, collectorSchema } from '../../src/api/clusters.ts';
import { guardSchema } from '../../src/api/guard.ts';
import { replicaPageSchema } from '../../src/api/replicas.ts';
import { serviceSchema } from '../../src/api/services.ts';
import { type StatusFacts, statusText, summarizeStatus } from '../../src/cli/status-text.ts';
import { instanceName } from '../../src/model/instance-name.ts';
import { absent, unobserved } from '../../src/model/transition.ts';
import { type ScenarioName, scenarioNames } from '../../src/simulator/world/scenarios.ts';
import { unknownState } from '../../tools/generate/dashboards/unknown.ts';
import {
  responseMappings,
  serviceStatusMappings,
  severityMappings,
} from '../../tools/generate/dashboards/value-mappings.ts';
import { casesOfRun } from '../support/campaign.ts';
import { readJson, send } from '../support/http.ts';
import { startSimulatedReceivers } from '../support/simulated-receivers.ts';
import { findTool, requireTool } from '../support/tools.ts';
import { expectFirstScreen } from './first-screen.ts';
import { type GuardEnvironment, startEnvironment } from './guard-environment.ts';
import { isHanging } from './hanging-phases.ts';
import { listenOn, NetworkClock } from './network-clock.ts';
import { atMost } from './page-scene.ts';
import { type PanelRow, panelFamilies, panelRows } from './panel-rows.ts';
import { SeriesRecorder } from './rules/series-recorder.ts';

interface ScenarioRun {
  /** Speed of the scenario, as a multiple of real time. */
  readonly speed: number;
  /** Number of nodes, 3 by default; fewer if all nodes have the same faults. */
  readonly nodes?: number;
  /** Number of seconds in which the outputs are compared. */
  readonly seconds: number;
  /** Rules of which at least one is on the first screen of a phone; empty for a healthy cluster. */
  readonly fires: readonly string[];
  /** Whether it runs in the campaign only, because another scenario shows the same parts of the page. */
  readonly isFurther?: true;
}

const scenarioRuns: Readonly<Record<ScenarioName, ScenarioRun>> = {
  calm: { speed: 1, seconds: 5, fires: [] },
  runaway_queries: { speed: 5, seconds: 20, fires: ['guard_breaker_open'] },
  queue_storm: { speed: 4, seconds: 36, fires: ['delay_queue_pressure', 'queue_saturated'], isFurther: true },
  rejected_storm: { speed: 8, seconds: 28, fires: ['delay_queue_pressure', 'queue_saturated'], isFurther: true },
  flapping: {
    speed: 1,
    seconds: 50,
    fires: ['service_not_online', 'partition_without_online_replica'],
    isFurther: true,
  },
  node_outage: { speed: 4, seconds: 45, fires: ['node_unreachable'] },
  disk_full: { speed: 40, seconds: 45, fires: ['service_readonly'], isFurther: true },
  bad_server: { speed: 10, nodes: 1, seconds: 36, fires: ['cluster_down', 'node_unreachable'] },
  cleared_store: { speed: 4, seconds: 12, fires: ['graph_shrunk'], isFurther: true },
  schema_change: { speed: 4, seconds: 12, fires: ['query_disappeared', 'query_unusable'] },
  bad_load: { speed: 4, seconds: 12, fires: ['loading_job_failed'], isFurther: true },
  new_superuser: { speed: 4, seconds: 12, fires: ['new_superuser', 'destructive_privilege_granted'], isFurther: true },
};

const often = { interval: '1s', timeout: '1s' };
const on = { enabled: true, ...often };
const polls = {
  health: often,
  services: often,
  metrics: often,
  workload_queues: often,
  queries: often,
  delayed_queries: often,
  graph_sizes: on,
  query_definitions: on,
  loading_jobs: on,
  users: on,
};
/** Aborts each query again and again, so that the circuit breaker opens. */
const guard = {
  mode: 'enforce',
  policies: [
    {
      name: 'runaway',
      mode: 'enforce',
      when: { age: '> 3s', granted_timeout: '> 5m' },
      confirm: { observations: 2, apart: '1s' },
      grace: '0s',
    },
  ],
  breakers: { same_query: { aborts: 1 } },
};
const atOnce = Object.fromEntries(
  [
    'node_unreachable',
    'cluster_down',
    'service_not_online',
    'partition_without_online_replica',
    'service_readonly',
    'delay_queue_pressure',
    'queue_saturated',
    'query_unusable',
  ].map((name) => [name, { for: '0s' }]),
);

/** The GSQL server requires a user, and accepts any. */
const anyUser = { basic: { username: 'monitor', password: 'simulated' } };

/** Everything that the daemon says at one time. */
type Moment = StatusFacts & { readonly metrics: string };

async function momentAt(url: string): Promise<Moment> {
  const items = async <Item>(path: string, item: z.ZodType<Item>): Promise<readonly Item[]> =>
    z.object({ items: z.array(item) }).parse(await readJson(`${url}/api/v1/${path}?limit=1000`)).items;
  return {
    clusters: await items('clusters', clusterSchema),
    alerts: await items('alerts', alertSchema),
    services: await items('services', serviceSchema),
    collectors: await items('collectors', collectorSchema),
    guard: guardSchema.parse(await readJson(`${url}/api/v1/guard`)),
    replicas: replicaPageSchema.parse(await readJson(`${url}/api/v1/replicas`)),
    missing: [],
    metrics: (await send(`${url}/metrics`)).text,
  };
}

/** Statuses that graphwarden gives an instance that no server lists: the server has no code for them. */
const statusesWithoutCode: readonly string[] = [absent, unobserved];

/** Returns the expected rows of the problem tables of the dashboard. */
function expectedRows({ clusters, services, alerts, collectors, metrics }: Moment): readonly PanelRow[] {
  const firing = alerts.filter(({ phase, rule }) => phase === 'firing' && rule !== 'watchdog');
  const byRule = Map.groupBy(firing, ({ cluster, rule }) => `${cluster}/${rule}`);
  const severities = [...byRule].map(([subject, own]): PanelRow => {
    const codes = own.map(({ severity }) => codeOf(severityMappings, severity));
    return { column: 'Severity', subject, value: Math.max(...codes) };
  });
  const counts = [...byRule].map(([subject, own]): PanelRow => ({ column: 'Firing', subject, value: own.length }));
  const nodes = clusters.flatMap((cluster) => cluster.nodes).filter(({ state }) => state !== 'up');
  const responses = nodes.map(({ name, state, reachable }): PanelRow => {
    const value = codeOf(responseMappings, reachable === true ? 'refuses' : 'no response');
    return { column: 'Response', subject: name, value: state === 'unknown' ? unknownState.value : value };
  });
  // Without a source, a graph has a gap; the page and the terminal show the last status with its age.
  const sources = collectors.filter(({ collector }) => ['services', 'metrics'].includes(collector));
  const isKnown = sources.some(({ state }) => state === 'healthy');
  const statuses = services.flatMap((service): PanelRow[] => {
    if (!isKnown || ['Online', ...statusesWithoutCode].includes(service.status)) return [];
    return [{ column: 'Status', subject: instanceName(service), value: codeOf(serviceStatusMappings, service.status) }];
  });
  const unknown: PanelRow = { column: 'Status', subject: '', value: unknownState.value };
  // Statuses that are too old are not on the metrics page, even if the next poll has not failed yet.
  const isListed = metrics.includes('graphdb_service_status_code{');
  return [...severities, ...counts, ...responses, ...statuses, ...(isListed ? [] : [unknown])];
}

function codeOf(mappings: readonly { readonly text: string; readonly value: number }[], text: string): number {
  return mappings.find((one) => one.text === text)?.value ?? expect.fail(`the dashboard has no name for ${text}`);
}

/** The rows as text, without lost partitions: the API has no list of them. */
function inWords(rows: readonly PanelRow[]): readonly string[] {
  const shown = rows.filter(({ column }) => column !== 'Online replicas');
  return shown.map(({ column, subject, value }) => `${column} of ${subject}: ${value}`).toSorted();
}

/** Returns the overview of the first cluster on the page. */
const shownOverview = `({
  overall: document.querySelector('h2.overall')?.textContent ?? '',
  state: document.querySelector('article[aria-label^="Cluster"] .badge')?.textContent ?? '',
  nodes: [...document.querySelectorAll('article[aria-label^="Cluster"] li strong')].map((one) => one.textContent),
  cells: [...document.querySelectorAll('.replicas [role=img]')].map((one) => one.getAttribute('aria-label')).toSorted(),
  alerts: [...document.querySelectorAll('section[aria-label="Firing alerts"] h3')].map((one) => one.textContent),
})`;

const overviewSchema = z.object({
  overall: z.string(),
  state: z.string(),
  nodes: z.array(z.string()),
  cells: z.array(z.string()),
  alerts: z.array(z.string()),
});

const colors = { critical: '✕', warning: '!', 'not all online': '!', unknown: '?', healthy: '✓' } as const;

/** Returns the expected content of the page; of the services only those that are cells. */
function expectedOverview(moment: Moment, cells: readonly string[]) {
  const summary = summarizeStatus(moment);
  const names = new Set(cells.map((cell) => cell.split(': ')[0]));
  const replicas = moment.services.filter((one) => one.status !== 'Online' || names.has(instanceName(one)));
  return {
    sign: colors[summary.state],
    state: summary.clusters[0]?.state ?? '',
    nodes: moment.clusters.flatMap(({ nodes }) =>
      nodes.filter(({ state }) => state !== 'up').map((node) => `${node.name} ${nodeStateText(node)}`),
    ),
    cells: replicas.map((one) => `${instanceName(one)}: ${one.status}`).toSorted(),
    alerts: moment.alerts.filter(isOngoing).slice(0, 5).map(summaryOf),
  };
}

function summaryOf({ annotations, rule }: AlertReport): string {
  return annotations.summary ?? rule;
}

async function expectPageShows(page: Page, moment: Moment, at: string): Promise<void> {
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
  const shown = async () => {
    const { overall, ...rest } = overviewSchema.parse(await page.evaluate(shownOverview));
    const wanted = expectedOverview(moment, rest.cells);
    return { shown: { ...rest, sign: overall.slice(0, 1) }, wanted };
  };
  await expect
    .poll(async () => {
      const { shown: one, wanted } = await shown();
      return (
        JSON.stringify(one, Object.keys(wanted).toSorted()) === JSON.stringify(wanted, Object.keys(wanted).toSorted())
      );
    }, atMost)
    .toBe(true)
    .catch(async () => {
      const { shown: one, wanted } = await shown();
      expect(one, at).toEqual(wanted);
    });
}

describe.skipIf(findTool('chromium') === undefined)('outputs at every second of a scenario', () => {
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: requireTool('chromium'), args: ['--no-sandbox'] });
    page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  });

  afterAll(() => browser.close());

  async function compareOutputs(scenario: ScenarioName, environment: GuardEnvironment): Promise<void> {
    const { url } = environment.daemon();
    await page.goto(`${url}/`);
    await page.locator('h2.overall').waitFor(atMost);
    let before = '';
    let isPictured = false;
    const { seconds } = scenarioRuns[scenario];
    const recorder = new SeriesRecorder(panelFamilies, seconds);
    const expected: (readonly PanelRow[])[] = [];
    for (let second = 1; second <= seconds; second += 1) {
      await environment.run(1000);
      const moment = await momentAt(url);
      const at = `${scenario} after ${second} s`;
      recorder.add(second - 1, moment.metrics);
      expected.push(expectedRows(moment));
      const summary = summarizeStatus(moment);
      const text = statusText(moment, environment.clock.now().wall);
      expect(text.split('\n')[0], at).toMatch(new RegExp(`^${summary.state}: `));
      const now = JSON.stringify(expectedOverview(moment, []));
      if (now === before) continue;
      before = now;
      await expectPageShows(page, moment, at);
      if (isPictured || !moment.alerts.some(isOngoing)) continue;
      isPictured = true;
      const rule = await expectFirstScreen(page, moment.alerts);
      expect(scenarioRuns[scenario].fires).toContain(rule);
      if (process.env.PICTURES !== undefined)
        await page.screenshot({ path: `${process.env.PICTURES}/${scenario}.png` });
    }
    expect(isPictured, 'an alert is on the page').toBe(scenarioRuns[scenario].fires.length > 0);
    const shown = await panelRows(recorder.series, seconds);
    for (const [index, rows] of expected.entries())
      expect(inWords(shown[index] ?? []), `dashboard of ${scenario} after ${index + 1} s`).toEqual(inWords(rows));
  }

  it.each(casesOfRun(scenarioNames, (name) => scenarioRuns[name].isFurther !== true))(
    '%s: page, terminal, alerts and dashboards agree',
    async (scenario) => {
      const clock = new NetworkClock(Date.now());
      const { nodes = 3, speed } = scenarioRuns[scenario];
      const outside = { listen: listenOn(clock), clock };
      const receivers = await startSimulatedReceivers([{ name: 'hook', kind: 'webhook' }], outside);
      const hook = { name: 'hook', webhook: { url: receivers.all[0]?.url ?? '' } };
      const begin = clock.now().mono;
      const environment = await startEnvironment({
        clock,
        isInMemory: scenario !== 'bad_server',
        hangs: () => isHanging(scenario, (clock.now().mono - begin) * speed),
        simulated: { nodes, scenario, speed },
        collectors: polls,
        guard,
        cluster: { read_auth: anyUser, abort_auth: anyUser },
        more: { alerts: { receivers: [hook], routes: [{ receivers: ['hook'], group_wait: '0s' }], rules: atOnce } },
      });
      try {
        await compareOutputs(scenario, environment);
      } finally {
        await environment.stop();
        await clock.through(receivers.close());
      }
    },
  );
});
