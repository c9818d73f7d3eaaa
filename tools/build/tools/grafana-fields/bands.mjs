/**
 * State timelines and heatmaps. Grafana draws both in its core, which is not a library: these are plain pictures of the
 * same resolved values, with the same texts, colors and labels.
 */
import { FieldType, formattedValueToString, getFieldDisplayName, getValueFormat } from '@grafana/data';
import { measureText, VizLegend } from '@grafana/ui';
import { interpolateBlues } from 'd3-scale-chromatic';
import { createElement as h } from 'react';
import { theme } from './resolve.mjs';

const fontSize = 12;
const legendHeight = 30;
const axisHeight = 20;
const axisText = { fill: theme.colors.text.primary, fontSize, dominantBaseline: 'central' };

/** Draws one band for each series, as many as fit one page, and a legend with all states. */
export function drawStateTimeline({ panel, frames, width, height, timeRange }) {
  const all = frames.flatMap((frame) => seriesOf(frame, frames));
  const bands = all.slice(0, panel.options.perPage);
  const left = widthOf(bands.map(({ name }) => name));
  const area = { left, width: width - left, height: height - legendHeight - axisHeight };
  const rows = bands.map((band, at) => drawBand(band, { at, count: bands.length, area, timeRange, panel }));
  return h(
    'div',
    { style: { width, height, display: 'flex', flexDirection: 'column' } },
    h('svg', { width, height: height - legendHeight }, ...rows, timeAxis(area, timeRange)),
    legendOf(all, bands.length),
  );
}

/** Returns the width of labels at the left of an axis. */
function widthOf(labels) {
  return 16 + Math.max(...labels.map((label) => measureText(label, fontSize).width * 1.1));
}

function seriesOf(frame, frames) {
  const times = frame.fields.find(({ type }) => type === FieldType.time).values;
  return frame.fields
    .filter(({ type }) => type === FieldType.number)
    .map((field) => ({ name: getFieldDisplayName(field, frame, frames), segments: segmentsOf(field, times) }));
}

/** Joins equal values that follow each other; a missing value ends a segment and shows nothing. */
function segmentsOf(field, times) {
  const segments = [];
  for (const [at, from] of times.entries()) {
    const raw = field.values[at];
    const last = segments.at(-1);
    if (last !== undefined && last.raw === raw) last.to = times[at + 1] ?? from;
    else segments.push({ raw, from, to: times[at + 1] ?? from, ...shown(field.display(raw)) });
  }
  return segments;
}

function shown(value) {
  return { text: formattedValueToString(value), color: value.color };
}

function drawBand({ name, segments }, { at, count, area: { left, width, height }, timeRange, panel }) {
  const share = panel.options.rowHeight;
  const line = height / count;
  const middle = line * (at + 0.5);
  const scale = scaleOf(timeRange, left, width);
  const label = h('text', { ...axisText, x: left - 10, y: middle, textAnchor: 'end', className: 'label' }, name);
  const parts = segments.map(({ from, to, text, color }) => {
    const [x, end] = [scale(from), scale(to)];
    const fits = measureText(text, fontSize).width + 8 < end - x;
    const box = { x, width: Math.max(1, end - x), y: middle - (line * share) / 2, height: line * share };
    return h(
      'g',
      { key: from },
      h('rect', { ...box, fill: color, fillOpacity: 0.7, 'data-text': text }),
      fits && h('text', { ...axisText, x: x + 4, y: middle }, text),
    );
  });
  return h('g', { key: name }, label, ...parts);
}

function scaleOf({ from, to }, left, width) {
  return (at) => left + ((at - from.valueOf()) / (to.valueOf() - from.valueOf())) * width;
}

function timeAxis({ left, width, height }, timeRange) {
  const { from, to } = timeRange;
  const scale = scaleOf(timeRange, left, width);
  const step = (to.valueOf() - from.valueOf()) / 4;
  return [1, 2, 3].map((part) => {
    const at = from.valueOf() + part * step;
    const text = new Date(at).toISOString().slice(11, 19);
    return h('text', { ...axisText, key: at, x: scale(at), y: height + axisHeight / 2, textAnchor: 'middle' }, text);
  });
}

function legendOf(all, count) {
  const looks = new Map(all.flatMap(({ segments }) => segments.map(({ text, color }) => [text, color])));
  const items = [...looks].map(([label, color]) => ({ label, color, yAxis: 1 }));
  const page = all.length > count ? ` (1–${count} of ${all.length})` : '';
  return h(
    'div',
    { style: { height: legendHeight, display: 'flex' } },
    h(VizLegend, { items, displayMode: 'list', placement: 'bottom' }),
    h('span', { style: { whiteSpace: 'nowrap' } }, page),
  );
}

/** Draws the counts of buckets over time. */
export function drawHeatmap({ panel, frames: [frame], width, height, timeRange }) {
  const times = frame.fields.find(({ type }) => type === FieldType.time).values;
  const buckets = frame.fields.filter(({ type }) => type === FieldType.number);
  const { unit, decimals } = panel.options.yAxis;
  const format = (bound) => formattedValueToString(getValueFormat(unit)(Number(bound), decimals));
  const bounds = buckets.map(({ name }) => (name === '+Inf' ? name : format(name)));
  const left = widthOf(bounds);
  const area = { left, width: width - left, height: height - axisHeight };
  const line = area.height / buckets.length;
  const most = Math.max(...buckets.flatMap(({ values }) => [...values]));
  const scale = scaleOf(timeRange, left, area.width);
  const rows = buckets.map(({ values }, at) => {
    const y = area.height - line * (at + 1);
    const label = h('text', { ...axisText, x: left - 10, y: y + line / 2, textAnchor: 'end' }, bounds[at]);
    const cells = [...values].map((value, moment) => {
      const x = scale(times[moment]);
      const box = {
        key: moment,
        x,
        y,
        width: Math.max(1, scale(times[moment + 1] ?? times[moment]) - x),
        height: line,
      };
      return value > 0 && h('rect', { ...box, fill: interpolateBlues(1 - value / most) });
    });
    return h('g', { key: bounds[at] }, label, ...cells);
  });
  return h('svg', { width, height }, ...rows, timeAxis(area, timeRange));
}
