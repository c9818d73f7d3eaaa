import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { collectorSchema } from '../../src/api/clusters.ts';
import { guardSchema } from '../../src/api/guard.ts';
import { probeSchema } from '../../src/api/probes.ts';
import { exampleOf } from '../api/object-cases.ts';
import { readJson } from '../support/http.ts';
import { findTool } from '../support/tools.ts';
import { atMost, expectAccessible, type PageScene, startPageScene } from './page-scene.ts';

const views = [
  '',
  'alerts',
  'timeline',
  'queries',
  'guard',
  'database',
  'collectors',
  'incidents/0123456789ab-1',
] as const;
const hostileName = `<img src=x onerror="document.title='attacked'">`;

describe.skipIf(findTool('chromium') === undefined)('the status page in a browser', () => {
  let scene: PageScene;

  beforeAll(async () => {
    scene = await startPageScene({ note: hostileName });
  });

  afterAll(() => scene.stop());

  it.each(views)('has the view «%s» without findings of axe or overflow', async (view) => {
    await expectAccessible(scene, view);
  });

  it('shows a healthy cluster', async () => {
    const page = await scene.open('');
    await page.getByText('✓ 1 cluster healthy, no alert fires').waitFor(atMost);
    const card = page.getByRole('article', { name: 'Cluster prod' });
    expect(await card.getByText('3 of 3 nodes up').count()).toBe(1);
    expect(await card.getByRole('img', { name: 'GPE_1#1: Online' }).textContent()).toBe('✓');
  });

  it('shows names of a server as text', async () => {
    const order = { node: 'm1', graph: 'fraud', query: 'ring_scan', runsFor: 600_000, timeout: 600_000 };
    scene.simulator.control.startQuery(order);
    const page = await scene.open('');
    await page.getByText(`note=${hostileName}`).waitFor(atMost);
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.title()).not.toContain('attacked');
  });

  it('aborts a query manually, with a reason, and marks the abort on the timeline', async () => {
    const page = await scene.open('queries');
    const row = page.getByRole('row').filter({ hasText: 'ring_scan' }).filter({ hasText: '10m' });
    await row.getByRole('button', { name: 'Abort…' }).click(atMost);
    await row.getByLabel('Reason').fill('blocks the release');
    await row.getByRole('button', { name: 'Abort the query' }).click();
    await expect.poll(() => scene.simulator.aborts().length, atMost).toBe(1);
    await page.goto(`${scene.daemon.url}/#/guard`);
    await page.getByRole('table', { name: 'Audit log' }).getByText('blocks the release').waitFor(atMost);
    await page.goto(`${scene.daemon.url}/#/timeline`);
    await page.getByRole('img', { name: 'Aborts: 1, listed below' }).waitFor(atMost);
  });

  it('shows durations of queries as a chart and a table', async () => {
    const page = await scene.open('queries');
    await page.getByRole('img', { name: 'Chart of the durations' }).locator('canvas').waitFor(atMost);
    const table = page.getByRole('table', { name: 'Durations in the last minute' });
    expect(await table.getByRole('row').count()).toBeGreaterThan(1);
  });

  it('shows loading jobs, queries that cannot be used, and sizes of graphs', async () => {
    const page = await scene.open('database', { width: 390, height: 844 });
    const jobs = page.getByRole('table', { name: 'Loading jobs' });
    await jobs.getByText('load_accounts (fraud)').waitFor(atMost);
    await jobs
      .getByText(/lines\/s$/)
      .first()
      .waitFor(atMost);
    await page.getByText('No query of the latest lists is invalid').waitFor(atMost);
    const graphs = page.getByRole('table', { name: 'Graphs and their sizes' });
    await graphs
      .getByText(/^Account [\d,]{7,}, Person /)
      .first()
      .waitFor(atMost);
    // The views do not fit next to each other, and the present one is visible.
    const current = page.getByRole('link', { name: 'Database' });
    const box = (await current.boundingBox()) ?? expect.fail();
    expect(box.x + box.width).toBeLessThanOrEqual(390);
  });

  it('shows probes, with failures and remedies, at widths of 390 and 1440', async () => {
    const page = await scene.open('database');
    const row = page.getByRole('table', { name: 'Probes' }).getByRole('row').filter({ hasText: 'one_account' });
    const run = row.getByRole('button', { name: 'Run now' });
    const atBothWidths = async (check: () => Promise<void>): Promise<void> => {
      for (const width of [390, 1440]) {
        await page.setViewportSize({ width, height: 844 });
        await check();
      }
    };
    await atBothWidths(async () => {
      await row.getByText('✓ healthy').waitFor(atMost);
      await row.getByText('objective 99 %').waitFor(atMost);
      await run.click();
      await row.getByText(/: succeeded in \d+m?s/).waitFor(atMost);
    });
    const release = await scene.simulator.control.injectFault('status_403', { path: /\/vertices\// });
    await atBothWidths(async () => {
      await row.getByText('✕ failing (auth)').waitFor(atMost);
      await row.getByText('GRANT PRIVILEGE READ_DATA ON GRAPH fraud').waitFor(atMost);
      await run.click();
      await row.getByText(': failed (auth)').waitFor(atMost);
    });
    await expectAccessible(scene, 'database');
    await release();
    await atBothWidths(() => row.getByText('✓ healthy').waitFor(atMost));
  });

  it('shows a probe without a current result as unknown', async () => {
    const example = probeSchema.parse({ ...exampleOf(probeSchema), state: 'healthy', reason: '', probe: 'late' });
    const page = await scene.tab();
    const items = [example, { ...example, probe: 'never', state: 'unknown', lastRun: null, validUntil: null }];
    await page.route('**/api/v1/probes?*', (route) => route.fulfill({ json: { items, total: items.length } }));
    await page.goto(`${scene.daemon.url}/#/database`);
    const table = page.getByRole('table', { name: 'Probes' });
    await table.getByText('? unknown: the last run is too long ago').waitFor(atMost);
    await table.getByText('not run yet').waitFor(atMost);
    expect(await table.getByText('healthy').count()).toBe(0);
  });

  it('explains an empty section by its collector, which is not enabled or fails', async () => {
    const page = await scene.tab();
    const { items } = z
      .object({ items: z.array(collectorSchema) })
      .parse(await readJson(`${scene.daemon.url}/api/v1/collectors?limit=1000`));
    const changed = items
      .filter(({ collector }) => collector !== 'graph_sizes')
      .map((one) =>
        one.collector === 'loading_jobs' ? { ...one, state: 'failing', reason: 'auth', advice: 'Grant it.' } : one,
      );
    await page.route('**/api/v1/collectors?*', (route) =>
      route.fulfill({ json: { items: changed, total: changed.length } }),
    );
    await page.goto(`${scene.daemon.url}/#/database`);
    await page.getByText('Not polled: the collector graph_sizes is not enabled.').waitFor(atMost);
    await page.getByText('✕ failing (auth)').waitFor(atMost);
    await page.getByText('Grant it.').waitFor(atMost);
  });

  it('runs the checks now, and shows their result and their next time', async () => {
    const page = await scene.open('collectors');
    await page.getByText('No check has run yet.').waitFor(atMost);
    await page.getByText(', next run').waitFor(atMost);
    await page.getByRole('button', { name: 'Run the checks of prod now…' }).click();
    await page.getByRole('button', { name: 'Run the checks', exact: true }).click();
    const checks = page.getByRole('table', { name: 'Consistency checks' });
    await checks.getByText('✓ passed').first().waitFor(atMost);
    const runs = page.getByRole('table', { name: 'Runs of the checks' });
    await runs.getByRole('cell', { name: 'data_consistency' }).first().waitFor(atMost);
    expect(await runs.getByText('✓ passed').count()).toBeGreaterThanOrEqual(2);
    await page.goto(`${scene.daemon.url}/#/timeline`);
    await page.getByRole('img', { name: /^Checks: \d+, listed below/ }).waitFor(atMost);
    await page.getByRole('img', { name: 'Starts: 1, listed below' }).waitFor(atMost);
  });

  it('zooms the timeline by buttons, keys and dragging', async () => {
    const page = await scene.open('timeline');
    const range = page.getByRole('combobox', { name: /^Range/ });
    const shown = () => range.locator('option:checked').textContent();
    await page.locator('.bands .band').first().waitFor(atMost);
    expect(await shown()).toBe('1h');
    await page.getByRole('button', { name: 'Zoom out' }).click();
    expect(await shown()).toBe('3h');
    await page.keyboard.press('-');
    expect(await shown()).toBe('6h');
    await page.keyboard.press('+');
    await page.keyboard.press('ArrowLeft');
    expect(await shown()).toBe('3h');
    await page.getByRole('button', { name: 'Now', exact: true }).click();
    await range.selectOption('30d');
    const bands = page.locator('.bands .band').first();
    await bands.waitFor(atMost);
    const box = (await bands.boundingBox()) ?? expect.fail();
    await page.mouse.move(box.x + box.width / 2, box.y + 5);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, box.y + 5, { steps: 3 });
    await page.mouse.up();
    await expect.poll(shown).toMatch(/^(?:2d|3d)/);
  });

  it('shows an outage without a reload, and its incident, and silences its alert after a preview', async () => {
    const page = await scene.open('', { width: 390, height: 844 });
    await page.getByText('✓ 1 cluster healthy').waitFor(atMost);
    await scene.simulator.control.stopNode('m3');
    const alert = page.getByRole('article', { name: 'Alert node_unreachable' });
    await alert.waitFor(atMost);
    await page.getByText('m3 does not answer').waitFor(atMost);
    await page.getByRole('img', { name: 'GPE_1#3: Down' }).waitFor(atMost);
    expect(await page.title()).toMatch(/^\(\d+\) graphwarden$/);
    // What, where, since when, who was notified and what to do next are on the first screen of a phone.
    const box = (await alert.boundingBox()) ?? expect.fail();
    expect(box.y + box.height).toBeLessThan(844);
    expect(await alert.getByText('Sent to no receiver').count()).toBe(1);
    await alert.getByRole('link', { name: 'Incident' }).click();
    await page.getByRole('heading', { name: 'Incident', exact: true }).waitFor(atMost);
    await page.getByText('node=m3').waitFor(atMost);
    const events = page.getByRole('table', { name: 'Events' });
    await events.getByRole('row').filter({ hasText: 'GPE_1#3' }).first().waitFor(atMost);
    await alert.getByRole('button', { name: 'Acknowledge' }).click();
    await alert.getByText('Acknowledged by').waitFor(atMost);
    await alert.getByRole('button', { name: 'Silence…' }).click();
    await alert.getByLabel('Your name').fill('ada');
    await alert.getByLabel('Reason').fill('new memory');
    await alert.getByRole('button', { name: 'Preview' }).click();
    await alert.getByText('The silence matches 1 alert now.').waitFor(atMost);
    await alert.getByRole('button', { name: 'Create silence' }).click();
    await alert.getByText('Suppressed by the silence').waitFor(atMost);
    await page.goto(`${scene.daemon.url}/#/alerts`);
    await page.getByRole('table', { name: 'Silences' }).getByText('new memory').waitFor(atMost);
  });

  it('opens an incident by the link in notifications, and has no finding of axe in an outage', async () => {
    const alerts = z.object({ items: z.array(z.object({ rule: z.string(), incident: z.string() })) });
    const { items } = alerts.parse(await readJson(`${scene.daemon.url}/api/v1/alerts?rule=node_unreachable`));
    const { incident } = items[0] ?? expect.fail();
    const page = await scene.tab();
    await page.goto(`${scene.daemon.url}/incidents/${incident}`);
    await page.getByRole('article', { name: 'Alert node_unreachable' }).waitFor(atMost);
    expect(page.url()).toBe(`${scene.daemon.url}/#/incidents/${incident}`);
    for (const view of ['', 'alerts', 'timeline', `incidents/${incident}`]) await expectAccessible(scene, view);
    await scene.simulator.control.startNode('m3');
  });

  it('shows an incident to browsers without JavaScript by its address in the API', async () => {
    const page = await scene.browser.newPage({ javaScriptEnabled: false });
    await page.goto(`${scene.daemon.url}/incidents/a1-3`);
    const link = page.getByRole('link', { name: 'api/v1/incidents/a1-3' });
    expect(await link.getAttribute('href')).toBe('/api/v1/incidents/a1-3');
    await page.close();
  });

  it('pauses and resumes the guard', async () => {
    const page = await scene.open('guard');
    await page.getByRole('button', { name: 'Pause the guard' }).click(atMost);
    await page.getByText('An operator paused the guard.').waitFor(atMost);
    await page.getByRole('button', { name: 'Resume…' }).click();
    await page.getByRole('button', { name: 'Resume the guard' }).click();
    await page.getByText('Mode enforce: 1 policy of 1 may abort queries').waitFor(atMost);
    await page.getByText('What runaway does').click();
    await page.getByText('It aborts installed queries of the cluster prod that').waitFor(atMost);
    const budgets = page.getByRole('table', { name: 'Remaining budgets' });
    await budgets.getByRole('row').filter({ hasText: 'prod, all nodes' }).waitFor(atMost);
  });

  it('names the cluster on which the guard paused itself', async () => {
    const state = guardSchema.parse(await readJson(`${scene.daemon.url}/api/v1/guard`));
    const paused = { cluster: 'test', paused: true, reasons: ['unexpected_id'] };
    const page = await scene.tab();
    await page.route('**/api/v1/guard', (route) =>
      route.fulfill({ json: { ...state, paused: false, reasons: [], clusters: [...state.clusters, paused] } }),
    );
    await page.goto(`${scene.daemon.url}/#/guard`);
    await page
      .getByText('Paused on test: nothing is aborted there, because an abort response contains an unexpected query id.')
      .waitFor(atMost);
    expect(await page.getByText('Paused on prod').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Pause the guard' }).count()).toBe(1);
    expect(await page.getByRole('button', { name: 'Resume…' }).count()).toBe(1);
  });

  it('marks a guard that cannot act on a node', async () => {
    const state = guardSchema.parse(await readJson(`${scene.daemon.url}/api/v1/guard`));
    const readiness = state.readiness.map((one) => ({ ...one, ready: false, reasons: ['not_covered'] }));
    const page = await scene.tab();
    await page.route('**/api/v1/guard', (route) => route.fulfill({ json: { ...state, readiness } }));
    await page.goto(`${scene.daemon.url}/#/guard`);
    await page.locator('.card.edge-orange').getByText('Mode enforce: 1 policy of 1').waitFor(atMost);
    await page.getByText('✕ no: its query server instance is unknown').first().waitFor(atMost);
  });

  it('prints the cards without buttons and views', async () => {
    const page = await scene.open('');
    await page.getByRole('article', { name: 'Cluster prod' }).waitFor(atMost);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('article', { name: 'Cluster prod' }).isVisible()).toBe(true);
    expect(await page.getByRole('navigation').isVisible()).toBe(false);
    expect(await page.locator('button:visible').count()).toBe(0);
    const pdf = await page.pdf({ format: 'A4' });
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('reported no error to the console', () => {
    // The incident that does not exist is requested by its view, with its notifications.
    expect(scene.complaints.filter((text) => !/40[04]/.test(text))).toEqual([]);
  });
});
