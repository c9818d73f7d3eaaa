import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { alertSchema } from '../../src/api/alerts.ts';
import { clusterSchema, collectorSchema } from '../../src/api/clusters.ts';
import { graphSchema, loadingJobSchema, queryDefinitionSchema } from '../../src/api/database.ts';
import type { ObjectSchema } from '../../src/api/fields.ts';
import { auditEntrySchema } from '../../src/api/guard-audit.ts';
import { notificationSchema } from '../../src/api/notifications.ts';
import { probeSchema } from '../../src/api/probes.ts';
import { endpointSchema, querySchema } from '../../src/api/queries.ts';
import { serviceSchema, transitionSchema } from '../../src/api/services.ts';
import { exampleOf } from '../api/object-cases.ts';
import { eventually } from '../support/child.ts';
import { findTool } from '../support/tools.ts';
import { answer, atMost, type PageScene, startPageScene } from './page-scene.ts';

const hostile = `\u202e\u2066\u200f"><img src=x onerror="document.title='attacked'"><script>document.title='attacked'</script>`;

describe.skipIf(findTool('chromium') === undefined)('the status page with failing API requests', () => {
  let scene: PageScene;

  beforeAll(async () => {
    scene = await startPageScene();
  });

  afterAll(() => scene.stop());

  /** Opens a view with a clock that only the test moves from the first data on. */
  async function openWithClock(view: string): Promise<Page> {
    const page = await scene.browser.newPage();
    await page.clock.install();
    await page.goto(`${scene.daemon.url}/#/${view}`);
    await page.getByText(/^Updated/).waitFor(atMost);
    await pauseClock(page, 1000);
    return page;
  }

  it('show the age of their data while the daemon does not answer, and recover', async () => {
    const page = await openWithClock('');
    await page.getByText(/^✓ 1 cluster healthy/).waitFor(atMost);
    await page.route('**/api/**', (route) => route.abort());
    await runUntil(page, /^Data is old\. Updated/);
    await page.getByText('? The state is unknown: the data is old').waitFor(atMost);
    expect(await badgeOf(page)).toBe('unknown');
    expect(await page.title()).toBe('(?) graphwarden');
    await page
      .getByText('The alerts, clusters and services cannot be loaded: graphwarden does not answer')
      .waitFor(atMost);
    await page.unroute('**/api/**');
    await runUntil(page, /^Updated (?:now|[1-9]s ago)/);
    await page.getByText(/^✓ 1 cluster healthy/).waitFor(atMost);
    expect(await badgeOf(page)).toBe('healthy');
    expect(await page.title()).toBe('graphwarden');
    await page.close();
  });

  it('reconnect to the event stream with backoff until it answers', async () => {
    const page = await scene.browser.newPage();
    await page.clock.install();
    await page.addInitScript(`
      globalThis.attempts = [];
      globalThis.EventSource = class extends EventSource {
        constructor(url) { super(url); attempts.push(Date.now()); }
      };`);
    await page.route('**/api/v1/events', (route) => route.abort());
    await page.goto(`${scene.daemon.url}/`);
    await page.getByText(/no live updates/).waitFor(atMost);
    await page.setViewportSize({ width: 320, height: 568 });
    const title = await page.getByRole('heading', { level: 1 }).boundingBox();
    expect(title?.height).toBeLessThan(30);
    await pauseClock(page, 100);
    const attempts = async () => {
      await page.clock.runFor(500);
      return z.array(z.number()).parse(await page.evaluate('attempts'));
    };
    await expect.poll(async () => (await attempts()).length, atMost).toBe(5);
    const times = await attempts();
    const gaps = times.slice(1).map((time, at) => time - (times[at] ?? 0));
    for (const [at, gap] of gaps.entries()) expect(gap).toBeGreaterThanOrEqual(2000 * 2 ** at);
    await page.unroute('**/api/v1/events');
    const step = async () => {
      await attempts();
      return page.getByText(/no live updates/).count();
    };
    await expect.poll(step, atMost).toBe(0);
    await page.close();
  });

  it.each([
    ['{"items": [', 'the answer is not complete'],
    ['{"items": [{"key": 7}], "total": 1}', 'the answer is not as expected (items.0.key)'],
    ['[]', 'the answer is not as expected'],
  ])('show the remaining data if the alerts are %s', async (body, reason) => {
    const page = await scene.tab();
    await page.route('**/api/v1/alerts?*', (route) => route.fulfill({ body, contentType: 'application/json' }));
    await page.goto(`${scene.daemon.url}/`);
    await page.getByText(`The alerts cannot be loaded: ${reason}`).waitFor(atMost);
    await page.getByText('3 of 3 nodes up').waitFor(atMost);
    // Without the alerts, no verdict is known.
    expect(await page.getByText('no alert fires').count()).toBe(0);
    expect(await badgeOf(page)).toBe('unknown');
  });

  it('name the nodes without a process list', async () => {
    const page = await scene.tab();
    const poll = { ...collectorSchema.parse(exampleOf(collectorSchema)), cluster: 'prod', collector: 'queries' };
    const failing = { ...poll, node: 'm1', state: 'failing', reason: 'auth', message: 'the server refuses' };
    await answer(page, 'queries', []);
    await answer(page, 'collectors', [failing, { ...poll, node: 'm2', state: 'healthy' }]);
    await page.goto(`${scene.daemon.url}/#/queries`);
    await page.getByText(/^Queries of prod\/m1 unknown: ✕ failing \(auth\)/).waitFor(atMost);
    await page.getByText('No query runs or waits in the latest lists of the other nodes.').waitFor(atMost);
    await answer(page, 'collectors', [failing]);
    await expect.poll(() => page.getByText('No query runs or waits').count(), atMost).toBe(0);
  });

  it.each([-400, 400])('show correct ages if the clock of the browser is wrong by %d days', async (days) => {
    const page = await scene.browser.newPage();
    await page.addInitScript(`
      const now = Date.now;
      Date.now = () => now() + ${days * 86_400_000};`);
    await page.goto(`${scene.daemon.url}/`);
    await page.getByText(/^Services as of \d+m?s ago/).waitFor(atMost);
    await page.getByText(/^Updated (?:now|\ds ago)/).waitFor(atMost);
    expect(await page.getByText('Data is old').count()).toBe(0);
    await page.close();
  });

  it('show hostile texts in every field as text', async () => {
    // Without the policy of the page, markup that is not escaped would run.
    const page = await scene.browser.newPage({ bypassCSP: true });
    for (const [list, schema] of Object.entries(lists)) await answer(page, list, [hostileExample(schema)]);
    const collectors = ['loading_jobs', 'query_definitions', 'graph_sizes'].map((collector) => {
      return { ...collectorSchema.parse(hostileExample(collectorSchema)), collector };
    });
    await answer(page, 'collectors', [hostileExample(collectorSchema), ...collectors]);
    await page.goto(`${scene.daemon.url}/`);
    for (const view of ['', 'alerts', 'timeline', 'queries', 'guard', 'database', 'collectors']) {
      await page.goto(`${scene.daemon.url}/#/${view}`);
      await page.waitForFunction(`!/Loading [a-z ]+…/.test(document.body.textContent)`, undefined, atMost);
      expect(await page.getByText('<img src=x').count(), view).toBeGreaterThan(0);
      expect(await page.locator('img, main script, a[href^="javascript:"]').count(), view).toBe(0);
      expect(await page.title()).not.toContain('attacked');
      expect(await page.content(), view).not.toMatch(/\p{Bidi_Control}/u);
    }
    await page.close();
  });

  it('fit long names on a phone, and break no short word beside them on a desktop', async () => {
    const page = await scene.tab({ width: 390, height: 844 });
    const long = { cluster: `fraud-detection-${'x'.repeat(60)}`, node: `ip-10-0-0-1.${'y'.repeat(60)}.example.org` };
    const query = { ...querySchema.parse(exampleOf(querySchema)), ...long, state: 'running' };
    await answer(page, 'queries', [query, { ...query, id: '2', state: 'delayed', query: 'interpreted', graph: '' }]);
    await page.goto(`${scene.daemon.url}/#/queries`);
    const rows = page.getByRole('table', { name: 'Queries' }).locator('tbody tr');
    await rows.filter({ hasText: /^interpreted/ }).waitFor(atMost);
    await page.getByText('1 running, 1 delayed').waitFor(atMost);
    expect(await rows.getByText('()').count()).toBe(0);
    expect(Number(await page.evaluate('document.documentElement.scrollWidth'))).toBe(390);
    await page.setViewportSize({ width: 1280, height: 720 });
    for (const word of [rows.getByText('running'), rows.getByRole('button', { name: 'Abort…' })]) {
      const { height = 0 } = (await word.boundingBox()) ?? {};
      expect(height).toBeLessThan(36);
    }
  });

  it('are usable with 100 nodes and 10,000 transitions', async ({ annotate }) => {
    const page = await scene.browser.newPage();
    await page.addInitScript(`
      globalThis.longest = 0;
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
      }).observe({ entryTypes: ['longtask'] });`);
    const { clusters, services, transitions } = largeFleet(Date.now());
    await answer(page, 'clusters', clusters);
    await answer(page, 'services', services);
    await answer(page, 'transitions', transitions);
    const started = performance.now();
    await page.goto(`${scene.daemon.url}/`);
    await page.getByText(/^! Not everything is online on prod/).waitFor(atMost);
    await annotate(`first view usable after ${Math.round(performance.now() - started)} ms`);
    expect(await page.getByText('100 of 100 nodes up').count()).toBe(1);
    const opened = performance.now();
    await page.goto(`${scene.daemon.url}/#/timeline`);
    await page.getByText(/^The first 500 of 10\d{3} are shown\. Use a filter\.$/).waitFor(atMost);
    await annotate(`timeline usable after ${Math.round(performance.now() - opened)} ms`);
    expect(await page.locator('.bands .band').count()).toBe(100);
    await annotate(`longest task ${Math.round(Number(await page.evaluate('longest')))} ms`);
    await page.close();
  });
});

/** Returns the state of the cluster on its card. */
function badgeOf(page: Page): Promise<string | null> {
  return page.locator('article[aria-label="Cluster prod"] .badge').first().textContent();
}

/** Stops the clock of a page. On a busy machine the time at which it should stop may have passed before the page receives the call. */
async function pauseClock(page: Page, ahead: number): Promise<void> {
  await eventually('the clock stands still', async () => {
    await page.clock.pauseAt(Number(await page.evaluate('Date.now()')) + ahead);
    return true;
  });
}

/** Moves the clock of a page until a text is shown. */
async function runUntil(page: Page, text: string | RegExp): Promise<void> {
  const step = async (): Promise<number> => {
    await page.clock.runFor(1000);
    return page.getByText(text).count();
  };
  await expect.poll(step, atMost).toBeGreaterThan(0);
}

const lists: Readonly<Record<string, ObjectSchema>> = {
  alerts: alertSchema,
  clusters: clusterSchema,
  collectors: collectorSchema,
  services: serviceSchema,
  transitions: transitionSchema,
  probes: probeSchema,
  queries: querySchema,
  endpoints: endpointSchema,
  graphs: graphSchema,
  'loading-jobs': loadingJobSchema,
  'query-definitions': queryDefinitionSchema,
  notifications: notificationSchema,
  'guard/audit': auditEntrySchema,
};

/** Returns the example of an object with hostile texts where its schema accepts any, and times of now. */
function hostileExample(schema: ObjectSchema): unknown {
  const example = exampleOf(schema);
  const changed: Record<string, unknown> = { ...example };
  for (const [name, value] of Object.entries(example)) {
    const replacement = typeof value === 'string' ? hostile : isTexts(value) ? withHostileTexts(value) : undefined;
    if (replacement === undefined) continue;
    if (schema.safeParse({ ...example, [name]: replacement }).success) changed[name] = replacement;
    else if (/^\d{4}-/.test(String(value))) changed[name] = new Date().toISOString();
  }
  if ('state' in changed && schema === collectorSchema) changed.state = 'failing';
  return schema.parse(changed);
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return typeof value === 'object' && value !== null && Object.values(value).every((one) => typeof one === 'string');
}

function withHostileTexts(value: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const texts = Object.fromEntries(Object.keys(value).map((name) => [name, hostile]));
  return { ...texts, runbook_url: `javascript:document.title='attacked'`, dashboard_url: hostile };
}

/** Returns a cluster of 100 nodes with 10 services each, which changed 10,000 times in the last hour. */
function largeFleet(now: number) {
  const time = (ago: number): string => new Date(now - ago).toISOString();
  const [cluster, service, transition] = [clusterSchema, serviceSchema, transitionSchema].map(exampleOf);
  const names = Array.from({ length: 100 }, (_, at) => String(at + 1));
  const nodes = names.map((name) => {
    const place = { name: `m${name}`, address: `http://10.0.0.${name}:14240`, since: time(3_000_000), sockets: 1 };
    return { ...place, state: 'up', reachable: true, sinceFirstPoll: true, reason: '', message: '', advice: '' };
  });
  const kinds = ['ADMIN', 'CTRL', 'DICT', 'ETCD', 'GPE', 'GSE', 'GSQL', 'KAFKA', 'RESTPP', 'ZK'];
  const identities = kinds.flatMap((kind) =>
    names.map((name) => ({ cluster: 'prod', service: kind, partition: kind === 'GPE' ? name : '', replica: name })),
  );
  const services = identities.map((one) => ({ ...service, ...one, status: 'Online', since: time(1000) }));
  services[0] = { ...service, ...(identities[0] ?? expect.fail()), status: 'Down', since: time(1000) };
  const transitions = Array.from({ length: 10_000 }, (_, at) => {
    const isOver = Math.floor(at / identities.length) % 2 === 0;
    const [from, to] = isOver ? ['Down', 'Online'] : ['Online', 'Down'];
    return { ...transition, ...identities[at % identities.length], at: time(2000 + at * 300), from, to };
  });
  return { clusters: [{ ...cluster, nodes, seriesDropped: [] }], services, transitions };
}
