import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type AlertReport, alertSchema } from '../../src/api/alerts.ts';
import { isOngoing, nodeStateText } from '../../src/api/cluster-state.ts';
import { clusterSchema, collectorSchema } from '../../src/api/clusters.ts';
import { guardSchema } from '../../src/api/guard.ts';
import { serviceSchema } from '../../src/api/services.ts';
import { type StatusFacts, statusText, summarizeStatus } from '../../src/cli/status-text.ts';
import { instanceName } from '../../src/model/instance-name.ts';
import { type ScenarioName, scenarioNames } from '../../src/simulator/world/scenarios.ts';
import { responseMappings, serviceStatusMappings } from '../../tools/generate/dashboards/value-mappings.ts';
import { readJson, send } from '../support/http.ts';
import { pageOf } from '../support/in-process-daemon.ts';
import { startSimulatedReceivers } from '../support/simulated-receivers.ts';
import { findTool, requireTool } from '../support/tools.ts';
import { type GuardEnvironment, startEnvironment } from './guard-environment.ts';
import { listenOn, NetworkClock } from './network-clock.ts';
import { atMost } from './page-scene.ts';

/** How many times as fast a scenario runs, and how many seconds of it are compared. */
const plays: Readonly<Record<ScenarioName, { readonly speed: number; readonly seconds: number }>> = {
  calm: { speed: 1, seconds: 5 },
  runaway_queries: { speed: 5, seconds: 40 },
  queue_storm: { speed: 4, seconds: 40 },
  rejected_storm: { speed: 8, seconds: 40 },
  flapping: { speed: 1, seconds: 50 },
  node_outage: { speed: 4, seconds: 60 },
  disk_full: { speed: 40, seconds: 45 },
  bad_server: { speed: 5, seconds: 70 },
  // Seen by collectors that are off here.
  cleared_store: { speed: 1, seconds: 5 },
  schema_change: { speed: 1, seconds: 5 },
  bad_load: { speed: 1, seconds: 5 },
};

const often = { interval: '1s', timeout: '1s' };
const collectors = { health: often, services: often, metrics: often, workload_queues: often };
const atOnce = Object.fromEntries(
  [
    'node_unreachable',
    'cluster_down',
    'service_not_online',
    'partition_without_online_replica',
    'service_readonly',
  ].map((name) => [name, { for: '0s' }]),
);

/** Everything that the daemon says at one time. */
interface Moment extends StatusFacts {
  readonly metrics: string;
}

async function momentAt(url: string): Promise<Moment> {
  const items = async <Item>(path: string, item: z.ZodType<Item>): Promise<readonly Item[]> =>
    z.object({ items: z.array(item) }).parse(await readJson(`${url}/api/v1/${path}?limit=1000`)).items;
  return {
    clusters: await items('clusters', clusterSchema),
    alerts: await items('alerts', alertSchema),
    services: await items('services', serviceSchema),
    collectors: await items('collectors', collectorSchema),
    guard: guardSchema.parse(await readJson(`${url}/api/v1/guard`)),
    metrics: (await send(`${url}/metrics`)).text,
  };
}

const nodeWords: Readonly<Record<string, RegExp>> = {
  responds: /^up$/,
  refuses: /^reachable, /,
  'no response': /^does not answer$/,
};

/** What the panels of the dashboards show that the API does not say. */
function dashboardDifferences({ clusters, services, alerts, metrics }: Moment): readonly string[] {
  const page = pageOf(metrics);
  const nodes = clusters.flatMap((cluster) => cluster.nodes).filter(({ state }) => state !== 'unknown');
  const differences: string[] = [];
  for (const node of nodes) {
    const sum =
      (page.value('graphdb_up', { node: node.name }) ?? 9) +
      (page.value('graphdb_reachable', { node: node.name }) ?? 9);
    const shown = responseMappings.find(({ value }) => value === sum)?.text ?? 'nothing';
    const said = nodeStateText(node);
    if (nodeWords[shown]?.test(said) !== true) differences.push(`node ${node.name}: ${shown}, but ${said}`);
  }
  for (const service of services) {
    const { service: service_name, partition, replica, status } = service;
    const code = page.value('graphdb_service_status_code', { service_name, partition, replica });
    const shown = serviceStatusMappings.find(({ value }) => value === code)?.text ?? 'nothing';
    // A gap in a band means that the instance was not observed then; the page shows the age of the status.
    const isShown = code === undefined || shown === status;
    if (!isShown) differences.push(`${instanceName(service)}: ${shown}, but ${status}`);
  }
  const series = page.families.get('graphwarden_alerts_firing')?.samples ?? [];
  const counted = new Set(series.filter(({ value }) => value > 0).map(({ labels }) => labels.rule ?? ''));
  const listed = new Set(alerts.filter(({ phase }) => phase === 'firing').map(({ rule }) => rule));
  for (const rule of new Set([...counted, ...listed])) {
    if (counted.has(rule) !== listed.has(rule)) differences.push(`${rule} fires in one of two places`);
  }
  return differences;
}

/** What the overview of the page shows of the first cluster. */
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

/** What the page has to show; of the services only those that are drawn as cells. */
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

/** On a phone, without scrolling: what, where, since when, who was notified, and what to do next. */
async function expectFirstScreen(page: Page, moment: Moment): Promise<void> {
  const [alert] = moment.alerts.filter(isOngoing);
  if (alert === undefined) return;
  const card = page.locator('section[aria-label="Firing alerts"] article').first();
  const box = (await card.boundingBox()) ?? expect.fail();
  expect(box.y + box.height, alert.rule).toBeLessThanOrEqual(844);
  const text = (await card.textContent()) ?? '';
  expect(text).toContain(summaryOf(alert));
  expect(text).toContain('prod · since ');
  expect(text).toMatch(/Notified: hook|Not notified yet|Sent to no receiver/);
  expect(await card.getByRole('link', { name: 'Runbook' }).count()).toBe(1);
}

describe.skipIf(findTool('chromium') === undefined)('at every second of a play', () => {
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: requireTool('chromium'), args: ['--no-sandbox'] });
    page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  });

  afterAll(() => browser.close());

  async function play(scenario: ScenarioName, environment: GuardEnvironment): Promise<void> {
    const { url } = environment.daemon();
    await page.goto(`${url}/`);
    await page.locator('h2.overall').waitFor(atMost);
    let before = '';
    let isPictured = false;
    for (let second = 1; second <= plays[scenario].seconds; second += 1) {
      await environment.run(1000);
      const moment = await momentAt(url);
      const at = `${scenario} after ${second} s`;
      expect(dashboardDifferences(moment), at).toEqual([]);
      const summary = summarizeStatus(moment);
      const text = statusText(moment, environment.clock.now().wall);
      expect(text.split('\n')[0], at).toMatch(new RegExp(`^${summary.state}: `));
      const now = JSON.stringify(expectedOverview(moment, []));
      if (now === before) continue;
      before = now;
      await expectPageShows(page, moment, at);
      if (isPictured || !moment.alerts.some(isOngoing)) continue;
      isPictured = true;
      await expectFirstScreen(page, moment);
      if (process.env.PICTURES !== undefined)
        await page.screenshot({ path: `${process.env.PICTURES}/${scenario}.png` });
    }
  }

  it.each(scenarioNames)('of %s, page, terminal, alerts and dashboards agree', async (scenario) => {
    const clock = new NetworkClock(Date.now());
    const receivers = await startSimulatedReceivers([{ name: 'hook', kind: 'webhook' }], {
      listen: listenOn(clock),
      clock,
    });
    const hook = { name: 'hook', webhook: { url: receivers.all[0]?.url ?? '' } };
    const environment = await startEnvironment({
      clock,
      simulated: { nodes: 3, scenario, speed: plays[scenario].speed },
      collectors,
      guard: { mode: 'observe' },
      more: { alerts: { receivers: [hook], routes: [{ receivers: ['hook'], group_wait: '0s' }], rules: atOnce } },
    });
    try {
      await play(scenario, environment);
    } finally {
      await environment.stop();
      await clock.through(receivers.close());
    }
  });
});
