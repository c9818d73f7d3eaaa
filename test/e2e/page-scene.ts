import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts';
import { type InProcessDaemon, startInProcessDaemon } from '../support/in-process-daemon.ts';
import { requireTool } from '../support/tools.ts';

/** A busy machine takes many times its usual time. */
export const atMost = { timeout: 100_000 };

/** Widths from a small phone to a wall. */
const widths = [320, 390, 1280, 3840] as const;

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Code for the browser: the rules of axe that the page breaks, with the first element that does. */
const findings = `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`;

const often = { interval: '1s', timeout: '1s' };
/** Polled once: a test has no time for more on a busy machine. */
const contents = { enabled: true, interval: '10m', timeout: '1m' };
const polls = {
  health: often,
  services: often,
  queries: often,
  metrics: often,
  statistics: often,
  graph_sizes: contents,
  loading_jobs: contents,
  query_definitions: contents,
};
const account = { type: 'Account', id: 'a' };
/** A probe that succeeds, until a test lets the reads of vertices fail. */
const probes = [
  {
    name: 'one_account',
    graph: 'fraud',
    vertex: account,
    interval: '5s',
    timeout: '5s',
    assert: { age: { path: '0.attributes.updated_at', max: '1h' } },
  },
  { name: 'rarely', graph: 'fraud', vertex: account, interval: '1h', timeout: '5s' },
];
const policy = { name: 'runaway', mode: 'enforce', when: { query: 'never_*', age: '> 1h' } };

/** A daemon over a simulated cluster `prod`, and a browser that opens its status page. */
export interface PageScene {
  readonly simulator: Simulator;
  readonly daemon: InProcessDaemon;
  readonly browser: Browser;
  /** Errors of all pages of {@link open} on their consoles. */
  readonly complaints: string[];
  /** Opens a view and waits until it has data. */
  open(view: string, options?: BrowserContextOptions): Promise<Page>;
  stop(): Promise<void>;
}

/** Starts a scene; `labels` are those of the cluster. */
export async function startPageScene(labels: Readonly<Record<string, string>> = {}): Promise<PageScene> {
  // The GSQL server requires a user, and accepts any.
  const auth = { basic: { username: 'monitor', password: 'simulated' } };
  const simulator = await startSimulator({ nodes: 3, scenario: 'calm' }, { listen, clock: systemClock });
  const nodes = simulator.nodes.map(({ name, url, instance }) => ({ name, url, instance }));
  const daemon = await startInProcessDaemon({
    clusters: [{ name: 'prod', labels, nodes, read_auth: auth, abort_auth: auth }],
    collectors: { ...polls, consistency: { enabled: true } },
    probes,
    tracker: { confirm: 1 },
    guard: { mode: 'enforce', policies: [policy] },
    alerts: { rules: { node_unreachable: { for: '0s' } } },
  });
  const browser = await chromium.launch({ executablePath: requireTool('chromium'), args: ['--no-sandbox'] });
  const complaints: string[] = [];
  return {
    simulator,
    daemon,
    browser,
    complaints,
    open: async (view, options = {}) => {
      const page = await browser.newPage(options);
      page.on('pageerror', ({ message }) => complaints.push(message));
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      await page.goto(`${daemon.url}/#/${view}`);
      await page.getByText(/^Updated/).waitFor(atMost);
      return page;
    },
    stop: async () => {
      await browser.close();
      await daemon.stop();
      await simulator.close();
    },
  };
}

/** Opens a view, and expects no finding of axe in both themes, and no overflow at any width. */
export async function expectAccessible(scene: PageScene, view: string): Promise<void> {
  // The policy of the page does not admit code of a test; that it works under the policy, the other tests show.
  const page = await scene.open(view, { bypassCSP: true });
  await page.waitForFunction(`!/Loading [a-z ]+…/.test(document.body.textContent)`, undefined, atMost);
  await page.addScriptTag({ path: axe });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await page.evaluate(findings), `${view} in ${colorScheme}`).toEqual([]);
  }
  for (const width of widths) {
    await page.setViewportSize({ width, height: 844 });
    expect(Number(await page.evaluate('document.documentElement.scrollWidth')), view).toBeLessThanOrEqual(width);
  }
  await page.close();
}
