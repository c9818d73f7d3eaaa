import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Page, type ViewportSize } from 'playwright-core';
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
const findingsOf = (rules: readonly string[]): string =>
  `axe.run(${JSON.stringify({ resultTypes: ['violations'], ...(rules.length > 0 && { runOnly: rules }) })})
    .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`;
/** The theme changes colours and nothing else: the rules about colours apply to both. */
const themes = [
  ['light', []],
  ['dark', ['cat.color']],
] as const;
/** Code for the browser: whether the page has rendered a view and its data. The view of an incident has no link in the bar. */
const isRendered = (view: string): string => {
  const link = view.startsWith('incidents/') ? 'null' : `'#/${view}'`;
  return `(document.querySelector('nav [aria-current]')?.getAttribute('href') ?? null) === ${link}
    && !/Loading(?: [a-z ]+)?…/.test(document.body.textContent)`;
};

const often = { interval: '1s', timeout: '1s' };
const seldom = { interval: '5s', timeout: '5s' };
/** Polled once: a test has no time for more on a busy machine. */
const contents = { enabled: true, interval: '10m', timeout: '1m' };
const polls = {
  health: often,
  services: often,
  queries: often,
  metrics: seldom,
  statistics: seldom,
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
  /** Errors on the console of the tabs. */
  readonly complaints: readonly string[];
  /** Returns the tab of the browser, which is empty. Tests share it: another tab costs more than all that one shows. */
  tab(size?: ViewportSize): Promise<Page>;
  /** Opens a view in the tab and waits until it has data. */
  open(view: string, size?: ViewportSize): Promise<Page>;
  /** Returns another tab, which does not apply the policy of the page, so that it runs axe. It shows the overview or a view. */
  unprotectedTab(): Promise<Page>;
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
  const tabs = new Tabs(browser, daemon.url);
  return {
    simulator,
    daemon,
    browser,
    complaints: tabs.complaints,
    tab: (size) => tabs.empty(size),
    unprotectedTab: () => tabs.unprotected(),
    open: async (view, size) => {
      const page = await tabs.empty(size);
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

/** Tabs of a browser, each opened when a test first needs it. */
class Tabs {
  readonly complaints: string[] = [];
  readonly #browser: Browser;
  readonly #url: string;
  #tab: Page | undefined;
  #unprotected: Page | undefined;

  constructor(browser: Browser, url: string) {
    this.#browser = browser;
    this.#url = url;
  }

  async empty(size: ViewportSize = { width: 1280, height: 720 }): Promise<Page> {
    // A page in the background requests its data all the time.
    await this.#unprotected?.close();
    this.#unprotected = undefined;
    this.#tab ??= await this.#open();
    await this.#tab.goto('about:blank');
    await this.#tab.unrouteAll({ behavior: 'ignoreErrors' });
    await this.#tab.emulateMedia({ media: null });
    await this.#tab.setViewportSize(size);
    return this.#tab;
  }

  async unprotected(): Promise<Page> {
    if (this.#unprotected?.isClosed() === false) return this.#unprotected;
    const page = await this.#open({ bypassCSP: true });
    await page.goto(this.#url);
    await page.addScriptTag({ path: axe });
    this.#unprotected = page;
    return page;
  }

  async #open(options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.#browser.newPage(options);
    page.on('pageerror', ({ message }) => this.complaints.push(message));
    page.on('console', (message) => {
      if (message.type() === 'error') this.complaints.push(message.text());
    });
    return page;
  }
}

/**
 * Expects no finding of axe in a view in both themes, and no overflow at any width. The tab is closed if that fails: a tab
 * that does not respond would fail the next test as well.
 */
export async function expectAccessible(scene: PageScene, view: string): Promise<void> {
  // The policy of the page does not admit code of a test; that it works under the policy, the other tests show.
  const page = await scene.unprotectedTab();
  try {
    await inTime(`open «${view}»`, page.evaluate(`void (location.hash = '#/${view}')`));
    // A poll by frames waits for ever in a tab that the browser does not draw.
    await page.waitForFunction(isRendered(view), undefined, { ...atMost, polling: 100 });
    await page.getByText(/^Updated/).waitFor(atMost);
    await expectNoFindings(page, view);
    await expectNoOverflow(page, view);
  } catch (error) {
    await page.close();
    throw error;
  }
}

async function expectNoFindings(page: Page, view: string): Promise<void> {
  for (const [colorScheme, rules] of themes) {
    await page.emulateMedia({ colorScheme });
    const findings = await inTime(`run axe in «${view}»`, page.evaluate(findingsOf(rules)));
    expect(findings, `${view} in ${colorScheme}`).toEqual([]);
  }
}

async function expectNoOverflow(page: Page, view: string): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 844 });
    const scrollWidth = await inTime(`measure «${view}»`, page.evaluate('document.documentElement.scrollWidth'));
    expect(Number(scrollWidth), view).toBeLessThanOrEqual(width);
  }
  await page.setViewportSize({ width: 1280, height: 720 });
}

/** Rejects with the name of the step if the browser does not respond. Code in a page has no timeout of its own. */
async function inTime<T>(step: string, response: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`The browser did not ${step} in time.`)), atMost.timeout);
  try {
    return await Promise.race([response, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Answers requests for a list with `items`. */
export async function answer(page: Page, list: string, items: readonly unknown[]): Promise<void> {
  await page.route(`**/api/v1/${list}?*`, (route) => {
    const query = new URL(route.request().url()).searchParams;
    const [limit, offset] = [Number(query.get('limit')), Number(query.get('offset'))];
    const json = { items: items.slice(offset, offset + limit), total: items.length, limit, offset };
    return route.fulfill({ json });
  });
}
