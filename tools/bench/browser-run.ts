import { setTimeout as pause } from 'node:timers/promises';
import { type CDPSession, chromium, type Page } from 'playwright-core';
import { z } from 'zod';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts';
import { requireTool } from '../../test/support/tools.ts';
import { startGraphwarden } from './candidates.ts';
import { changeProbe, changingSettings, probeLabel, readEvents, startChanges } from './status-changes.ts';

/** Measurements of an open status page in Chromium while events arrive. */
export interface BrowserResult {
  /** Events per second, as counted by a client of the event stream. */
  readonly eventsPerSecond: number;
  /** Time from the arrival of each event at a client of the stream until the page shows it, in ms. */
  readonly latencies: readonly number[];
  /** Tasks of the page that took more than 50 ms, in ms. */
  readonly longTasks: readonly number[];
  /** Memory after each ten minutes of the page's clock, after a garbage collection. */
  readonly memory: readonly PageMemory[];
}

/** Memory of a page. */
export interface PageMemory {
  /** Minutes on the clock of the page, which can run faster than real time. */
  readonly minutes: number;
  /** MiB. */
  readonly heap: number;
  readonly elements: number;
  readonly listeners: number;
}

/** Script for the browser: records long tasks, and the times at which the label of the probe instance changes. */
const observers = `
  window.benchTasks = [];
  window.benchChanges = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.benchTasks.push(duration);
  }).observe({ type: 'longtask' });
  let benchLabel;
  new MutationObserver(() => {
    const label = document.querySelector('[aria-label^="${probeLabel}"]')?.getAttribute('aria-label');
    if (label === undefined || label === benchLabel) return;
    benchLabel = label;
    window.benchChanges.push([label, performance.timeOrigin + performance.now()]);
  }).observe(document, { subtree: true, childList: true, attributes: true });
`;

const changesSchema = z.array(z.tuple([z.string(), z.number()]));
const heapSchema = z.object({ usedSize: z.number() });
const countersSchema = z.object({ nodes: z.number(), jsEventListeners: z.number() });

/** Opens the status page while 50 events per second arrive: for `seconds`, and for an hour on the clock of the page. */
export async function runBrowser(seconds: number): Promise<BrowserResult> {
  const simulator = await startSimulator({ nodes: 3, instancesPerNode: 40 }, { listen, clock: systemClock });
  const graphwarden = await startGraphwarden(changingSettings(simulator));
  const browser = await chromium.launch({ executablePath: requireTool('chromium'), args: ['--no-sandbox'] });
  const stopChanges = startChanges(simulator);
  const { origin } = new URL(graphwarden.url);
  try {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
    await page.addInitScript({ content: observers });
    await page.goto(origin);
    await page.getByText(/^Updated/).waitFor();
    const live = await measureEvents(page, simulator, { origin, seconds });
    await page.close();
    const aged = await browser.newPage({ viewport: { width: 390, height: 844 } });
    return { ...live, memory: await measureHour(aged, origin) };
  } finally {
    stopChanges();
    await browser.close();
    await graphwarden.stop();
    await simulator.close();
  }
}

async function measureEvents(
  page: Page,
  simulator: Simulator,
  { origin, seconds }: { readonly origin: string; readonly seconds: number },
): Promise<Omit<BrowserResult, 'memory'>> {
  const events = await readEvents(origin);
  // Excludes the first tasks, which parse and compile the code of the page.
  await pause(3000);
  await page.evaluate('window.benchTasks.length = 0; window.benchChanges.length = 0');
  const [from, before] = [performance.now(), events.count()];
  for (let turn = 0; performance.now() - from < seconds * 1000; turn += 1) {
    changeProbe(simulator, turn % 2 === 0 ? 'Down' : 'Online');
    // Longer than the page takes to show a change, with another offset to the polls each time.
    await pause(1500 + ((turn * 37) % 200));
  }
  const eventsPerSecond = ((events.count() - before) / (performance.now() - from)) * 1000;
  const shown = changesSchema.parse(await page.evaluate('window.benchChanges'));
  const longTasks = z.array(z.number()).parse(await page.evaluate('window.benchTasks'));
  events.stop();
  const latencies = events.arrivals.flatMap(([label, at]) => {
    const change = shown.find(([own, time]) => own === label && time > at - 500);
    return change === undefined ? [] : [change[1] - at];
  });
  return { eventsPerSecond, latencies, longTasks };
}

/** Minutes of the clock of the page between two measurements. */
const interval = 10;

/** Advances the timers of the page by an hour. Requests and events are real. */
async function measureHour(page: Page, origin: string): Promise<readonly PageMemory[]> {
  await page.clock.install();
  await page.goto(origin);
  await page.getByText(/^Updated/).waitFor();
  const session = await page.context().newCDPSession(page);
  const memory: PageMemory[] = [];
  for (let minutes = 0; minutes <= 60; minutes += interval) {
    memory.push(await memoryOf(session, minutes));
    if (minutes === 60) break;
    for (let second = 0; second < interval * 60; second += 1) {
      await page.clock.runFor(1000);
      // Waits for the responses to the requests that the timers sent.
      await pause(10);
    }
  }
  return memory;
}

async function memoryOf(session: CDPSession, minutes: number): Promise<PageMemory> {
  for (let turn = 0; turn < 3; turn += 1) await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = heapSchema.parse(await session.send('Runtime.getHeapUsage'));
  const { nodes, jsEventListeners } = countersSchema.parse(await session.send('Memory.getDOMCounters'));
  return { minutes, heap: usedSize / 2 ** 20, elements: nodes, listeners: jsEventListeners };
}
