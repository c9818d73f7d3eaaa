import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guardSchema } from '../../src/api/guard.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts';
import { readJson } from '../support/http.ts';
import { type InProcessDaemon, startInProcessDaemon } from '../support/in-process-daemon.ts';
import { findTool, requireTool } from '../support/tools.ts';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const views = ['', 'alerts', 'timeline', 'queries', 'guard', 'collectors'] as const;
const hostileName = `<img src=x onerror="document.title='attacked'">`;
const widths = [320, 390, 1280, 3840] as const;
/** A busy machine takes many times its usual time. */
const atMost = { timeout: 100_000 };

const often = { interval: '1s', timeout: '1s' };
const collectors = { health: often, services: often, queries: often, metrics: often };
const policy = { name: 'runaway', mode: 'enforce', when: { query: 'never_*', age: '> 1h' } };

/** Code for the browser: the rules of axe that the page breaks, with the first element that does. */
const findings = `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`;

describe.skipIf(findTool('chromium') === undefined)('the status page in a browser', () => {
  let simulator: Simulator;
  let daemon: InProcessDaemon;
  let browser: Browser;
  const complaints: string[] = [];

  beforeAll(async () => {
    simulator = await startSimulator(
      { nodes: 3, scenario: 'calm', auth: { kind: 'secret', secret: 'page' } },
      { listen, clock: systemClock },
    );
    const nodes = simulator.nodes.map(({ name, url, instance }) => ({ name, url, instance }));
    const auth = { secret: 'page' };
    daemon = await startInProcessDaemon({
      clusters: [{ name: 'prod', labels: { note: hostileName }, nodes, read_auth: auth, abort_auth: auth }],
      collectors,
      tracker: { confirm: 1 },
      guard: { mode: 'enforce', policies: [policy] },
      alerts: { rules: { node_unreachable: { for: '0s' } } },
    });
    browser = await chromium.launch({ executablePath: requireTool('chromium'), args: ['--no-sandbox'] });
  });

  afterAll(async () => {
    await browser.close();
    await daemon.stop();
    await simulator.close();
  });

  async function open(view: string, options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> {
    const page = await browser.newPage(options);
    page.on('pageerror', ({ message }) => complaints.push(message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    await page.goto(`${daemon.url}/#/${view}`);
    await page.getByText(/^Updated/).waitFor(atMost);
    return page;
  }

  it('shows a cluster on which nothing is wrong', async () => {
    const page = await open('');
    await page.getByText('✓ 1 cluster healthy, no alert fires').waitFor(atMost);
    const card = page.getByRole('article', { name: 'Cluster prod' });
    expect(await card.getByText('3 of 3 nodes up').count()).toBe(1);
    expect(await card.getByRole('img', { name: 'GPE_1#1: Online' }).textContent()).toBe('✓');
    await page.close();
  });

  it.each(views)('has the view «%s» without errors, findings of axe or overflow', async (view) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      // The policy of the page does not admit code of a test; that it works under the policy, the other tests show.
      const page = await open(view, { colorScheme, bypassCSP: true });
      await page.waitForFunction(`!document.body.textContent.includes('Loading')`, undefined, atMost);
      await page.addScriptTag({ path: axe });
      expect(await page.evaluate(findings)).toEqual([]);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 844 });
        expect(Number(await page.evaluate('document.documentElement.scrollWidth'))).toBeLessThanOrEqual(width);
      }
      await page.close();
    }
  });

  it('shows names of a server as text', async () => {
    const order = { node: 'm1', graph: 'fraud', query: 'ring_scan', runsFor: 600_000, timeout: 600_000 };
    simulator.control.startQuery(order);
    const page = await open('');
    await page.getByText(`note=${hostileName}`).waitFor(atMost);
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.title()).not.toContain('attacked');
    await page.close();
  });

  it('aborts a query by hand, with a reason', async () => {
    const page = await open('queries');
    const row = page.getByRole('row').filter({ hasText: 'ring_scan' }).filter({ hasText: '10m' });
    await row.getByRole('button', { name: 'Abort…' }).click(atMost);
    await row.getByLabel('Reason').fill('blocks the release');
    await row.getByRole('button', { name: 'Abort the query' }).click();
    await expect.poll(() => simulator.aborts().length, atMost).toBe(1);
    await page.goto(`${daemon.url}/#/guard`);
    await page.getByRole('table', { name: 'Audit log' }).getByText('blocks the release').waitFor(atMost);
    await page.close();
  });

  it('shows an outage without a reload, and silences its alert after a preview', async () => {
    const page = await open('', { viewport: { width: 390, height: 844 } });
    await page.getByText('✓ 1 cluster healthy').waitFor(atMost);
    await simulator.control.stopNode('m3');
    const alert = page.getByRole('article', { name: 'Alert node_unreachable' });
    await alert.waitFor(atMost);
    await page.getByText('m3 does not answer').waitFor(atMost);
    await page.getByRole('img', { name: 'GPE_1#3: Down' }).waitFor(atMost);
    expect(await page.title()).toMatch(/^\(\d+\) graphwarden$/);
    // What, where and since when are on the first screen of a phone.
    expect((await alert.boundingBox())?.y).toBeLessThan(500);
    await alert.getByRole('button', { name: 'Silence…' }).click();
    await alert.getByLabel('Your name').fill('ada');
    await alert.getByLabel('Reason').fill('new memory');
    await alert.getByRole('button', { name: 'Preview' }).click();
    await alert.getByText('It matches 1 alert now.').waitFor(atMost);
    await alert.getByRole('button', { name: 'Create silence' }).click();
    await alert.getByText('silenced').waitFor(atMost);
    await page.goto(`${daemon.url}/#/alerts`);
    await page.getByRole('table', { name: 'Silences' }).getByText('new memory').waitFor(atMost);
    await page.close();
    await simulator.control.startNode('m3');
  });

  it('pauses and resumes the guard', async () => {
    const page = await open('guard');
    await page.getByRole('button', { name: 'Pause the guard' }).click(atMost);
    await page.getByText('Paused (operator): nothing is aborted').waitFor(atMost);
    await page.getByRole('button', { name: 'Resume…' }).click();
    await page.getByRole('button', { name: 'Resume the guard' }).click();
    await page.getByText('Mode enforce: 1 policy of 1 may abort queries').waitFor(atMost);
    await page.close();
  });

  it('names the cluster on which the guard paused itself', async () => {
    const state = guardSchema.parse(await readJson(`${daemon.url}/api/v1/guard`));
    const paused = { cluster: 'test', paused: true, reasons: ['unexpected_id'] };
    const page = await browser.newPage();
    await page.route('**/api/v1/guard', (route) =>
      route.fulfill({ json: { ...state, paused: false, reasons: [], clusters: [...state.clusters, paused] } }),
    );
    await page.goto(`${daemon.url}/#/guard`);
    await page.getByText('Paused on test (unexpected_id): nothing is aborted there').waitFor(atMost);
    expect(await page.getByText('Paused on prod').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Pause the guard' }).count()).toBe(1);
    expect(await page.getByRole('button', { name: 'Resume…' }).count()).toBe(1);
    await page.close();
  });

  it('says how old its data is while the daemon does not answer, and recovers', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${daemon.url}/`);
    await page.getByText(/^Updated/).waitFor(atMost);
    await context.setOffline(true);
    await page.getByText(/^Data is old\. Updated/).waitFor(atMost);
    await page.getByText('The alerts cannot be loaded: graphwarden does not answer').waitFor(atMost);
    await context.setOffline(false);
    await page.getByText(/^Updated (?:now|[1-4]s ago)/).waitFor(atMost);
    await context.close();
  });

  it('reported no error to the console', () => {
    expect(complaints).toEqual([]);
  });
});
