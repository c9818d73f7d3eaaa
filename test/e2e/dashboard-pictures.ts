import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
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

const runProgram = promisify(execFile);
/** Folder of the pictures; it is not committed. */
const folder = resolve('.reports/pictures');
/** Height in pixels of a line of Grafana's grid, with the gap below it. */
const line = 38;

/** Draws a dashboard with all rows open in a browser, stores the picture, and returns what it shows. */
export async function drawDashboard(drawing: Drawing): Promise<readonly DrawnPanel[]> {
  mkdirSync(folder, { recursive: true });
  const page = join(folder, `${drawing.name}.html`);
  writeFileSync(page, pageOf(drawing));
  const profile = await mkdtemp(join(tmpdir(), 'graphwarden-chromium-'));
  try {
    const size = `--window-size=${drawing.width},${heightOf(drawing)}`;
    const picture = `--screenshot=${join(folder, `${drawing.name}.png`)}`;
    const flags = [...browserFlags, `--user-data-dir=${profile}`, size, picture, '--dump-dom'];
    const called = [...flags, pathToFileURL(page).href];
    const { stdout, stderr } = await runProgram(requireTool('chromium'), called, { maxBuffer: 2 ** 26 });
    const [, report] = /<script type="application\/json" id="report">(.*?)<\/script>/s.exec(stdout) ?? [];
    if (report === undefined) throw new Error(`${drawing.name} was not drawn: ${stderr.slice(0, 2000)}`);
    return z.array(drawnPanel).parse(JSON.parse(report));
  } finally {
    await rm(profile, { recursive: true, force: true });
  }
}

/** No connection leaves the browser, and time passes as fast as the page allows. */
const browserFlags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--hide-scrollbars',
  '--disable-background-networking',
  '--disable-component-update',
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--virtual-time-budget=10000',
];

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
