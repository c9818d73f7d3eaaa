/** Panels that Grafana's components draw: curves, numbers and tables. */
import { FieldType } from '@grafana/data';
import { BigValue, TimeSeries, VizRepeater } from '@grafana/ui';
import { TableNG } from '@grafana/ui/unstable';
import { createElement as h } from 'react';
import { statValues, theme } from './resolve.mjs';

/** Settings of a curve that a panel does not set. */
const curveDefaults = {
  drawStyle: 'line',
  lineInterpolation: 'linear',
  lineWidth: 1,
  fillOpacity: 0,
  gradientMode: 'none',
  barAlignment: 0,
  showPoints: 'auto',
  pointSize: 5,
  spanNulls: false,
  stacking: { mode: 'none', group: 'A' },
  axisPlacement: 'auto',
  axisGridShow: true,
  scaleDistribution: { type: 'linear' },
  thresholdsStyle: { mode: 'off' },
};

/** Draws curves over time with their legend. */
export function drawTimeseries({ panel, frames, width, height, timeRange }) {
  const custom = { ...curveDefaults, ...panel.fieldConfig.defaults.custom };
  for (const field of frames.flatMap(({ fields }) => fields))
    field.config.custom = { ...custom, ...field.config.custom };
  return h(TimeSeries, { frames, width, height, timeRange, timeZone: 'utc', legend: panel.options.legend });
}

/** Draws numbers with a graph behind each. */
export function drawStat({ panel, resolved, width, height }) {
  const { colorMode, graphMode, justifyMode = 'auto', textMode = 'auto' } = panel.options;
  const look = { colorMode, graphMode, justifyMode, textMode, theme };
  return h(VizRepeater, {
    getValues: () => statValues(panel, resolved, graphMode !== 'none'),
    renderValue: ({ value: { display, sparkline }, count, width: w, height: high }) =>
      h(BigValue, { ...look, value: display, sparkline, count, width: w, height: high }),
    source: resolved,
    renderCounter: 0,
    orientation: 'auto',
    width,
    height,
  });
}

/** Draws the first table. */
export function drawTable({ panel, frames, width, height }) {
  const [data] = frames;
  return h(TableNG, { data, width, height, initialSortBy: panel.options.sortBy, cellHeight: 'sm' });
}

/** Whether a panel has a value to draw. */
export function hasValues(frames) {
  return frames.some(({ fields, length }) => length > 0 && fields.some(({ type }) => type === FieldType.number));
}
