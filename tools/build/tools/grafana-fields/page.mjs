/**
 * Draws a dashboard as Grafana does. The page has the dashboard in `window.dashboard`: its panels with the data frames that
 * answer their queries, and the width of the screen. `window.report` returns what is visible: Grafana's components measure themselves and draw again.
 */
import regular from '@fontsource/inter/files/inter-latin-400-normal.woff2';
import medium from '@fontsource/inter/files/inter-latin-500-normal.woff2';
import { dateTime, ThemeContext } from '@grafana/data';
import { GlobalStyles, PanelChrome } from '@grafana/ui';
import { Component, createElement as h } from 'react';
import { createRoot } from 'react-dom/client';
import { drawHeatmap, drawStateTimeline } from './bands.mjs';
import { drawStat, drawTable, drawTimeseries, hasValues } from './panels.mjs';
import { reportOf } from './report.mjs';
import { resolveFrames, theme } from './resolve.mjs';

const drawers = {
  timeseries: drawTimeseries,
  stat: drawStat,
  table: drawTable,
  'state-timeline': drawStateTimeline,
  heatmap: drawHeatmap,
};

/** Grafana's grid: 24 columns, lines of 30 px, 8 px between panels; one column on narrow screens. */
const [columns, lineHeight, gap, padding] = [24, 30, 8, 16];
/** Requested width of the screen: a headless browser has at least 500 px. */
const { width: screenWidth } = window.dashboard;
const isNarrow = screenWidth < 769;

/** Shows what a panel throws instead of an empty page. */
class Guarded extends Component {
  state = {};
  static getDerivedStateFromError(error) {
    return { error };
  }
  render() {
    return this.state.error === undefined
      ? this.props.children
      : h('pre', { className: 'failed' }, this.state.error.stack);
  }
}

function placeOf({ x, y, w, h: high }) {
  const height = high * lineHeight + (high - 1) * gap;
  if (isNarrow) return { width: screenWidth - 2 * padding, height };
  const column = (screenWidth - 2 * padding - (columns - 1) * gap) / columns;
  return {
    position: 'absolute',
    left: padding + x * (column + gap),
    top: y * (lineHeight + gap),
    width: w * column + (w - 1) * gap,
    height,
  };
}

function noData(panel, width, height) {
  const style = { width, height, display: 'flex', alignItems: 'center', justifyContent: 'center', textAlign: 'center' };
  return h('div', { style, className: 'no-data' }, panel.fieldConfig.defaults.noValue);
}

function drawPanel({ panel, resolved }, timeRange) {
  const { left, top, position, width, height } = placeOf(panel.gridPos);
  const { frames } = resolved;
  const isEmpty = panel.type !== 'stat' && !hasValues(frames);
  const draw = (w, high) =>
    isEmpty
      ? noData(panel, w, high)
      : h(Guarded, null, drawers[panel.type]({ panel, resolved, frames, width: w, height: high, timeRange }));
  const chrome = { title: panel.title, description: panel.description, width, height };
  const style = { left, top, position, width, marginBottom: isNarrow ? gap : 0 };
  return h('div', { key: panel.id, className: 'panel', 'data-type': panel.type, style }, h(PanelChrome, chrome, draw));
}

function drawRow({ title, gridPos }) {
  const { left, top, position, width, height } = placeOf(gridPos);
  const style = { left, top, position, width, height, font: '500 16px Inter', lineHeight: `${lineHeight}px` };
  return h('div', { key: title, style }, `▾ ${title}`);
}

async function drawDashboard({ panels, from, to }) {
  const inputs = panels.filter(({ panel }) => panel.type !== 'row');
  const resolved = await Promise.all(inputs.map((input) => resolveFrames(input, to)));
  const timeRange = { from: dateTime(from), to: dateTime(to), raw: { from: 'now-3h', to: 'now' } };
  const rows = panels.filter(({ panel }) => panel.type === 'row').map(({ panel }) => drawRow(panel));
  const drawn = inputs.map(({ panel }, at) => drawPanel({ panel, resolved: resolved[at] }, timeRange));
  const end = Math.max(...panels.map(({ panel: { gridPos } }) => gridPos.y + gridPos.h)) * (lineHeight + gap);
  const style = { position: 'relative', height: isNarrow ? 'auto' : end, padding: isNarrow ? padding : 0 };
  return h('div', { style }, ...(isNarrow ? [] : rows), ...drawn);
}

async function loadFonts() {
  const weights = { 400: regular, 500: medium };
  for (const [weight, url] of Object.entries(weights)) {
    document.fonts.add(await new FontFace('Inter', `url(${url})`, { weight }).load());
  }
}

async function drawPage() {
  await loadFonts();
  const everything = await drawDashboard(window.dashboard);
  const root = document.createElement('div');
  document.body.style.background = theme.colors.background.canvas;
  document.body.append(root);
  createRoot(root).render(h(ThemeContext.Provider, { value: theme }, h(GlobalStyles), everything));
  window.report = () => JSON.stringify(reportOf(root, screenWidth));
}

void drawPage();
