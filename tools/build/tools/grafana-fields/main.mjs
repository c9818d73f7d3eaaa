/**
 * Resolves panels as Grafana does:
 *
 *   node 12.3.mjs < panels.json > fields.json
 *
 * The input is a list of panels with the data frames that answer their queries. The output has, for each panel, the
 * fields that it shows, with the text and color of each value. How a state timeline merges values is not in the library
 * and repeated here.
 */
import { readFileSync } from 'node:fs';
import { FieldType, formattedValueToString, getActiveThreshold, getFieldDisplayName } from '@grafana/data';
import { resolveFrames, statValues, theme } from './resolve.mjs';

/** A state timeline that merges values shows the range between two thresholds if its colors follow the thresholds. */
function displayOf({ type, options }, field) {
  const display = (value) => shown(field.display(value));
  const isMerged = type === 'state-timeline' && options.mergeValues && field.config.color?.mode === 'thresholds';
  return isMerged ? (value) => (value === null ? { text: '', color: '' } : rangeOf(field.config, value)) : display;
}

function rangeOf({ thresholds: { steps } }, value) {
  const active = getActiveThreshold(value, steps);
  const next = steps[steps.indexOf(active) + 1];
  return {
    text: next === undefined ? `${active.value}+` : `< ${next.value}`,
    color: theme.visualization.getColorByName(active.color),
  };
}

function shown(value) {
  return { text: formattedValueToString(value), color: value.color ?? '' };
}

/** Whether texts replace values, other than a missing one. */
function namesStates({ mappings = [] }) {
  return mappings.some(({ type }) => type === 'value');
}

function fieldOf(panel, frames, frame, field) {
  const { config, labels = {}, type } = field;
  const display = displayOf(panel, field);
  const times = frame.fields.find((one) => one.type === FieldType.time);
  return {
    name: getFieldDisplayName(field, frame, frames),
    source: field.name,
    refId: frame.refId ?? '',
    type,
    labels,
    unit: config.unit ?? '',
    colorMode: config.color?.mode ?? '',
    cell: config.custom?.cellOptions?.type ?? 'auto',
    mapped: namesStates(config),
    noValue: config.noValue ?? '',
    values: [...field.values].map((raw, at) => ({ at: times?.values[at] ?? null, raw: raw ?? null, ...display(raw) })),
  };
}

function statFields(panel, resolved) {
  return statValues(panel, resolved).map(({ name, display, field }) => ({
    name,
    source: '',
    refId: '',
    type: 'number',
    labels: {},
    unit: field.unit ?? '',
    colorMode: field.color?.mode ?? '',
    cell: 'auto',
    mapped: namesStates(field),
    noValue: field.noValue ?? '',
    values: [{ at: null, raw: Number.isNaN(display.numeric) ? null : display.numeric, ...shown(display) }],
  }));
}

async function resolve(input) {
  const { panel } = input;
  const resolved = await resolveFrames(input);
  if (panel.type === 'stat') return statFields(panel, resolved);
  const { frames } = resolved;
  return frames.flatMap((frame) =>
    frame.fields.filter(({ type }) => type !== FieldType.time).map((field) => fieldOf(panel, frames, frame, field)),
  );
}

const results = [];
for (const one of JSON.parse(readFileSync(0, 'utf8'))) results.push(await resolve(one));
process.stdout.write(JSON.stringify(results));
