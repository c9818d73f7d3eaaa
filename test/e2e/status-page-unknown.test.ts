import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { alertSchema } from '../../src/api/alerts.ts';
import { type CollectorReport, collectorSchema } from '../../src/api/clusters.ts';
import { type GuardReport, guardSchema } from '../../src/api/guard.ts';
import { exampleOf } from '../api/object-cases.ts';
import { readJson } from '../support/http.ts';
import { findTool } from '../support/tools.ts';
import { answer, atMost, type PageScene, startPageScene } from './page-scene.ts';

describe.skipIf(findTool('chromium') === undefined)('the status page shows nothing as known that is not', () => {
  let scene: PageScene;

  beforeAll(async () => {
    scene = await startPageScene();
  });

  afterAll(() => scene.stop());

  /** Opens a view with the state of the guard changed. */
  async function openWithGuard(view: string, change: Partial<GuardReport>) {
    const page = await scene.tab();
    const guard = guardSchema.parse(await readJson(`${scene.daemon.url}/api/v1/guard`));
    await page.route('**/api/v1/guard', (route) => route.fulfill({ json: { ...guard, ...change } }));
    await page.goto(`${scene.daemon.url}/#/${view}`);
    await page.getByText(/^Updated/).waitFor(atMost);
    return page;
  }

  const paused = {
    paused: true,
    reasons: ['operator'],
    clusters: [{ cluster: 'prod', paused: true, reasons: ['operator'] }],
  } satisfies Partial<GuardReport>;

  it('names the phase of an alert that does not fire yet', async () => {
    const page = await scene.tab();
    const example = { ...alertSchema.parse(exampleOf(alertSchema)), event: false, recoveringSince: null };
    const free = { ...example, silencedBy: null, maintenance: null, inhibitedBy: null };
    const pending = { ...free, phase: 'pending', incident: '', deliveries: [], rule: 'node_unreachable' };
    await answer(page, 'alerts', [pending, { ...free, key: 'other', phase: 'firing', rule: 'cluster_down' }]);
    await page.goto(`${scene.daemon.url}/#/alerts`);
    const waiting = page.getByRole('article', { name: 'Alert node_unreachable' });
    await waiting.getByText('· pending').waitFor(atMost);
    const firing = page.getByRole('article', { name: 'Alert cluster_down' });
    expect(await firing.getByText(/· (?:pending|firing)/).count()).toBe(0);
  });

  it('does not call a list of the database empty if its last poll failed', async () => {
    const page = await scene.tab();
    const collectors = z.object({ items: z.array(collectorSchema) });
    const { items } = collectors.parse(await readJson(`${scene.daemon.url}/api/v1/collectors?limit=1000`));
    const contents = ['loading_jobs', 'query_definitions', 'graph_sizes'];
    const failing = items.map((one): CollectorReport => {
      return contents.includes(one.collector) ? { ...one, state: 'failing', reason: 'unreachable' } : one;
    });
    await answer(page, 'collectors', failing);
    for (const list of ['loading-jobs', 'query-definitions', 'graphs']) await answer(page, list, []);
    await page.goto(`${scene.daemon.url}/#/database`);
    await expect.poll(() => page.getByText('✕ failing (unreachable)').count(), atMost).toBe(contents.length);
    expect(await page.getByText(/^The server lists no|^No query of the latest lists/).count()).toBe(0);
  });

  it.each(['0123456789ab-1', 'a1-3'])('states that no incident has the ID %s', async (id) => {
    const page = await scene.open(`incidents/${id}`);
    await page.getByText('No incident has this ID, or it was resolved long ago.').waitFor(atMost);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('names a paused guard on the overview of healthy clusters', async () => {
    const page = await openWithGuard('', paused);
    await page.getByText('✓ 1 cluster healthy, no alert fires').waitFor(atMost);
    await page.getByText('! The guard is paused: it aborts no query.').waitFor(atMost);
  });

  it('shows a pause, and the button to resume, also while no policy is in force', async () => {
    const page = await openWithGuard('guard', { ...paused, policies: [], readiness: [], budgets: [] });
    await page.getByText('Paused: nothing is aborted').waitFor(atMost);
    await page.getByText('An operator paused the guard.').waitFor(atMost);
    await page.getByRole('button', { name: 'Resume…' }).waitFor(atMost);
    await page.goto('about:blank');
    await openWithGuard('guard', { policies: [], readiness: [], budgets: [] });
    await page.getByText('No policy is in force: the guard aborts nothing.').waitFor(atMost);
  });

  it('keeps each time of day in a table on one line', async () => {
    const page = await scene.tab();
    const example = collectorSchema.parse(exampleOf(collectorSchema));
    const message = 'GET /restpp/showprocesslistall on m1: the connection was refused '.repeat(5);
    const nextPoll = new Date(Date.now() + 3_600_000).toISOString();
    const at = { lastSuccess: new Date().toISOString(), nextPoll };
    await answer(page, 'collectors', [{ ...example, ...at, state: 'failing', reason: 'unreachable', message }]);
    await page.goto(`${scene.daemon.url}/#/collectors`);
    const times = page.getByRole('table', { name: 'Collectors' }).locator('td time');
    await times.first().waitFor(atMost);
    for (const time of await times.all()) {
      expect(Number(await time.evaluate((element) => element.getClientRects().length))).toBe(1);
    }
  });
});
