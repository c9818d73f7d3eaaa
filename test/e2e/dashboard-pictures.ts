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

/** A dashboard, and the answers to the queries of its panels by title. */
export interface Drawing {
  readonly dashboard: DashboardModel;
  readonly frames: ReadonlyMap<string, readonly Frame[]>;
  /** Name of the picture. */
  readonly name: string;
}

/** A page with dashboards one below the other: to start Grafana's library takes as long as to draw some of them. */
export interface DrawnPage {
  readonly drawings: readonly Drawing[];
  readonly span: TimeRange;
  /** Of the screen, in pixels. */
  readonly width: number;
}

/** A browser that draws dashboards. */
export interface DashboardBrowser {
  /** Draws dashboards with all rows open, and returns what each shows, by its name. */
  draw(page: DrawnPage): Promise<ReadonlyMap<string, readonly DrawnPanel[]>>;
  close(): Promise<void>;
}

/** Ms of the page in which it draws; they pass as fast as the page allows. */
const drawingTime = 10_000;
/** A page is drawn if so many pairs of frames change nothing. */
const framesUnchanged = 5;
const maxFrames = 1000;
/** No connection leaves the browser. */
const flags = ['--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--host-resolver-rules=MAP * ~NOTFOUND'];

/** Starts a browser. With the environment variable `PICTURES`, it stores pictures in that folder. */
export async function openDashboardBrowser(): Promise<DashboardBrowser> {
  const folder = await mkdtemp(join(tmpdir(), 'graphwarden-pictures-'));
  const browser = await chromium.launch({ executablePath: requireTool('chromium'), args: flags });
  return {
    draw: async (wanted) => {
      const file = join(folder, `${wanted.width}.html`);
      await writeFile(file, pageOf(wanted));
      return byName(wanted, await drawPage(browser, pathToFileURL(file).href, wanted));
    },
    close: async () => {
      await browser.close();
      await rm(folder, { recursive: true });
    },
  };
}

async function drawPage(browser: Browser, url: string, wanted: DrawnPage): Promise<readonly DrawnPanel[]> {
  const page = await browser.newPage({ viewport: { width: wanted.width, height: 1080 } });
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
  const report = await lastReport(page, wanted.width);
  if (process.env.PICTURES !== undefined) await takePictures(page, wanted, process.env.PICTURES);
  await page.close();
  return z.array(drawnPanel).parse(JSON.parse(report));
}

/** Takes a picture of each dashboard: from the top of its first panel to the end of its last one. */
async function takePictures(page: Page, { drawings, width }: DrawnPage, folder: string): Promise<void> {
  const positions = z.array(z.tuple([z.number(), z.number()])).parse(
    await page.evaluate(`[...document.querySelectorAll('.panel')].map((panel) => {
      const { top, bottom } = panel.getBoundingClientRect();
      return [top, bottom];
    })`),
  );
  for (const [name, own] of byName({ drawings }, positions)) {
    const y = Math.min(...own.map(([top]) => top));
    const height = Math.max(...own.map(([, bottom]) => bottom)) - y;
    await page.screenshot({
      path: join(folder, `${name}-${width}.png`),
      fullPage: true,
      clip: { x: 0, y, width, height },
    });
  }
}

/** Distributes what a page has of each panel among its drawings. */
function byName<Shown>({ drawings }: Pick<DrawnPage, 'drawings'>, panels: readonly Shown[]) {
  let from = 0;
  const parts = drawings.map(({ name, dashboard }) => {
    const own = panels.slice(from, from + panelsOf(dashboard).length);
    from += own.length;
    return [name, own] as const;
  });
  if (from !== panels.length) throw new Error(`the page has ${panels.length} panels, not ${from}`);
  return new Map<string, readonly Shown[]>(parts);
}

/** Components measure themselves with a frame, and draw again: waits until frames change nothing any more. */
async function lastReport(page: Page, width: number): Promise<string> {
  let report = '';
  let unchanged = 0;
  for (let frames = 0; frames < maxFrames; frames += 2) {
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
    const next = z.string().parse(await page.evaluate("window.report?.() ?? ''"));
    unchanged = next === report ? unchanged + 1 : 0;
    report = next;
    if (report !== '' && unchanged === framesUnchanged) return report;
  }
  throw new Error(`the page with a width of ${width} pixels was not drawn`);
}

function pageOf({ drawings, span, width }: DrawnPage): string {
  let [id, end] = [0, 0];
  const panels = drawings.flatMap(({ dashboard, frames }) => {
    const first = end;
    return opened(dashboard).map(({ gridPos, ...panel }) => {
      id += 1;
      const y = first + gridPos.y;
      end = Math.max(end, y + gridPos.h);
      return { panel: { ...panel, id, gridPos: { ...gridPos, y } }, frames: frames.get(panel.title) ?? [] };
    });
  });
  const data = JSON.stringify({ panels, width, from: span.from * 1000, to: span.to * 1000 });
  const program = pathToFileURL(join(requireTool('grafana-fields'), 'page.js')).href;
  return [
    '<!doctype html><meta charset="utf-8"><body style="margin:0">',
    // Grafana draws the cells of a table only where they are visible, and most of the page is below the screen.
    '<style>*{content-visibility:visible!important}</style>',
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
