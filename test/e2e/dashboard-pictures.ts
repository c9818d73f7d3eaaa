import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { z } from 'zod';
import { requireTool } from '../support/tools.ts';
import { type DashboardModel, type PanelModel, panelsOf } from '../tools/generate/dashboards/model.ts';
import type { Frame } from './panel-frames.ts';
import type { TimeRange } from './panel-results.ts';

const cell = z.object({ text: z.string(), background: z.string(), color: z.string(), isCut: z.boolean() });

const drawnPanel = z.object({
  title: z.string(),
  type: z.string(),
  isTitleCut: z.boolean(),
  /** Text in place of data. */
  noData: z.string(),
  /** What a component of Grafana threw. */
  failure: z.string(),
  /** Text and color of each part of a state timeline. */
  bands: z.array(z.object({ text: z.string(), color: z.string() })),
  /** Columns of a table, and the cells of the rows that are visible. */
  headers: z.array(cell),
  cells: z.array(cell),
  /** The numbers of a panel that shows only those. */
  numbers: z.array(cell),
  /** Names in the legend of curves. */
  legend: z.array(z.string()),
  /** Pixels of the panel beyond the screen. */
  overflow: z.number(),
});

/** A panel as a browser shows it. */
export type DrawnPanel = z.infer<typeof drawnPanel>;

/** A dashboard, the answers to the queries of its panels by title, and the width of the screen. */
export interface Drawing {
  readonly dashboard: DashboardModel;
  readonly frames: ReadonlyMap<string, readonly Frame[]>;
  readonly span: TimeRange;
  readonly width: number;
  /** Name of the picture. */
  readonly name: string;
}

/** A browser that draws dashboards. */
export interface DashboardBrowser {
  /** Draws a dashboard with all rows open, and returns what it shows. */
  draw(drawing: Drawing): Promise<readonly DrawnPanel[]>;
  close(): Promise<void>;
}

/** Height in pixels of a line of Grafana's grid, with the gap below it. */
const line = 38;
/** Ms of the page in which it draws; they pass as fast as the page allows. */
const drawingTime = 10_000;
/** A page is drawn if so many pairs of frames change nothing. */
const framesUnchanged = 5;
const mostFrames = 1000;
/** No connection leaves the browser. */
const flags = ['--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--host-resolver-rules=MAP * ~NOTFOUND'];

/** Starts a browser. With the environment variable `PICTURES`, it stores pictures in that folder. */
export async function openDashboardBrowser(): Promise<DashboardBrowser> {
  const folder = await mkdtemp(join(tmpdir(), 'graphwarden-pictures-'));
  const browser = await chromium.launch({ executablePath: requireTool('chromium'), args: flags });
  return {
    draw: async (drawing) => {
      const file = join(folder, `${drawing.name}.html`);
      await writeFile(file, pageOf(drawing));
      return drawPage(browser, pathToFileURL(file).href, drawing);
    },
    close: async () => {
      await browser.close();
      await rm(folder, { recursive: true });
    },
  };
}

async function drawPage(browser: Browser, url: string, drawing: Drawing): Promise<readonly DrawnPanel[]> {
  const page = await browser.newPage({ viewport: { width: drawing.width, height: heightOf(drawing) } });
  const session = await page.context().newCDPSession(page);
  // The time of the page passes only while it has nothing to do, so that a busy machine has drawn everything in time.
  await session.send('Emulation.setVirtualTimePolicy', { policy: 'pause' });
  await page.goto(url, { waitUntil: 'commit', timeout: 120_000 });
  const ended = new Promise<void>((resolve) => session.once('Emulation.virtualTimeBudgetExpired', () => resolve()));
  await session.send('Emulation.setVirtualTimePolicy', {
    policy: 'pauseIfNetworkFetchesPending',
    budget: drawingTime,
  });
  await ended;
  await session.send('Emulation.setVirtualTimePolicy', { policy: 'advance' });
  const report = await lastReport(page, drawing.name);
  if (process.env.PICTURES !== undefined) {
    const { data } = await session.send('Page.captureScreenshot');
    await writeFile(join(process.env.PICTURES, `${drawing.name}.png`), Buffer.from(data, 'base64'));
  }
  await page.close();
  return z.array(drawnPanel).parse(JSON.parse(report));
}

/** Components measure themselves with a frame, and draw again: waits until frames change nothing any more. */
async function lastReport(page: Page, name: string): Promise<string> {
  let report = '';
  let unchanged = 0;
  for (let frames = 0; frames < mostFrames; frames += 2) {
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
    const next = z.string().parse(await page.evaluate("window.report?.() ?? ''"));
    unchanged = next === report ? unchanged + 1 : 0;
    report = next;
    if (report !== '' && unchanged === framesUnchanged) return report;
  }
  throw new Error(`${name} was not drawn`);
}

function pageOf({ dashboard, frames, span, width }: Drawing): string {
  const panels = opened(dashboard).map((panel) => ({ panel, frames: frames.get(panel.title) ?? [] }));
  const data = JSON.stringify({ panels, width, from: span.from * 1000, to: span.to * 1000 });
  const program = pathToFileURL(join(requireTool('grafana-fields'), 'page.js')).href;
  return [
    '<!doctype html><meta charset="utf-8"><body style="margin:0">',
    `<script>window.dashboard=${data.replaceAll('<', '\\u003c')}</script><script src="${program}"></script>`,
  ].join('\n');
}

/** Opens the rows that are closed: their panels push down what follows. */
function opened({ panels }: DashboardModel): readonly PanelModel[] {
  let shift = 0;
  return panels.flatMap((row) => {
    const moved = [row, ...row.panels].map((one) => ({
      ...one,
      gridPos: { ...one.gridPos, y: one.gridPos.y + shift },
    }));
    shift += Math.max(0, ...row.panels.map(({ gridPos: { y, h } }) => y + h - row.gridPos.y - 1));
    return moved;
  });
}

/** Narrow windows have one column. */
function heightOf({ dashboard, width }: Drawing): number {
  const isNarrow = width < 769;
  if (isNarrow) return panelsOf(dashboard).reduce((sum, { gridPos: { h } }) => sum + h * line, 2 * line);
  return Math.max(...opened(dashboard).map(({ gridPos: { y, h } }) => y + h)) * line;
}
