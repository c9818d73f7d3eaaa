import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { z } from 'zod';
import { alertSchema } from '../src/api/alerts.ts';
import { readJson } from '../test/support/http.ts';
import { requireTool } from '../test/support/tools.ts';

/** The demo prints this before the address of its page. */
const addressPattern = /http:\/\/127\.0\.0\.1:\d+/;
/** Until the timeline shows the end of the outage. */
const outageMinutes = 10;
const alertsSchema = z.object({ items: z.array(alertSchema) });

/** Takes the pictures of the documents: the status page of the demo while a node is down, and later. Requires Chromium. */
async function takeScreenshots(): Promise<void> {
  const demo = await startDemo();
  const browser = await chromium.launch({ executablePath: requireTool('chromium'), args: ['--no-sandbox'] });
  try {
    const incident = await firingIncident(demo.url, 'node_unreachable');
    const live = [
      { name: 'status-page', view: '', width: 1280, height: 800 },
      { name: 'status-page-phone', view: '', width: 390, height: 844 },
      { name: 'status-page-incident', view: `incidents/${incident}`, width: 390, height: 844 },
    ];
    for (const picture of live) await takeScreenshot(browser, demo.url, picture);
    await pause(outageMinutes * 60_000);
    await takeScreenshot(browser, demo.url, {
      name: 'status-page-timeline',
      view: 'timeline',
      width: 1440,
      height: 900,
    });
  } finally {
    await browser.close();
    await demo.stop();
  }
}

interface Picture {
  readonly name: string;
  /** Part of the address behind `#/`. */
  readonly view: string;
  readonly width: number;
  readonly height: number;
}

async function takeScreenshot(browser: Browser, url: string, { name, view, width, height }: Picture): Promise<void> {
  const page = await browser.newPage({ viewport: { width, height } });
  await page.goto(`${url}/#/${view}`);
  await page.getByText(/^Updated/).waitFor();
  for (const note of await page.getByText(/^Loading /).all()) await note.waitFor({ state: 'hidden' });
  await page.screenshot({ path: fileURLToPath(new URL(`../docs/images/${name}.png`, import.meta.url)) });
  await page.close();
}

async function startDemo() {
  const program = fileURLToPath(new URL('../bin/graphwarden.mjs', import.meta.url));
  const options = ['demo', '--scenario', 'node_outage', '--receivers', '--listen', '127.0.0.1:0'];
  const child = spawn(process.execPath, [program, ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    output += String(chunk);
    const url = addressPattern.exec(output)?.[0];
    if (url === undefined) continue;
    child.stdout.resume();
    const stop = async (): Promise<void> => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    };
    return { url, stop };
  }
  throw new Error(`the demo ended without an address: ${output}`);
}

function isDelivered(deliveries: z.infer<typeof alertSchema>['deliveries']): boolean {
  return deliveries.length > 0 && deliveries.every(({ state }) => state === 'accepted');
}

/** Waits until an alert of the rule fires and all its receivers are notified. */
async function firingIncident(url: string, rule: string): Promise<string> {
  for (let tries = 0; tries < 600; tries += 1) {
    const { items } = alertsSchema.parse(await readJson(`${url}/api/v1/alerts?limit=1000`));
    const found = items.find((item) => item.rule === rule && isDelivered(item.deliveries));
    if (found !== undefined) return found.incident;
    await pause(1000);
  }
  throw new Error(`no alert of ${rule} fired within ten minutes`);
}

await takeScreenshots();
