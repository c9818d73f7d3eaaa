/**
 * Resolves panels as Grafana does:
 *
 *   node 12.3.mjs < panels.json > fields.json
 *
 * The input is a list of panels with the data frames that answer their queries. The output has, for each panel, the
 * fields that it shows, with the text and color of each value. Transformations, overrides, units, value mappings and
 * thresholds are Grafana's own code (@grafana/data). Two things are not in that library and repeated here: the defaults
 * of each panel type, and how a state timeline merges values.
 */
import { readFileSync } from 'node:fs';
import {
  applyFieldOverrides,
  applyNullInsertThreshold,
  createTheme,
  FieldType,
  formattedValueToString,
  getActiveThreshold,
  getFieldDisplayName,
  getFieldDisplayValues,
  Registry,
  standardTransformers,
  standardTransformersRegistry,
  toDataFrame,
  transformDataFrame,
} from '@grafana/data';
import { firstValueFrom } from 'rxjs';

const theme = createTheme({ colors: { mode: 'dark' } });
const replaceVariables = (text) => text;
const { mergeTransformer, organizeFieldsTransformer } = standardTransformers;
standardTransformersRegistry.setInit(() =>
  [mergeTransformer, organizeFieldsTransformer].map((transformation) => ({
    id: transformation.id,
    name: '',
    transformation,
  })),
);

/** Thresholds of a panel that has none. */
const thresholds = {
  mode: 'absolute',
  steps: [
    { value: Number.NEGATIVE_INFINITY, color: 'green' },
    { value: 80, color: 'red' },
  ],
};

/** Color mode of a panel that has none, by panel type. */
const colorModes = { timeseries: 'palette-classic', 'state-timeline': 'continuous-GrYlRd' };

/** Properties that overrides may set. */
const properties = new Registry(() =>
  ['unit', 'decimals', 'min', 'max', 'displayName', 'noValue', 'color', 'thresholds', 'mappings', 'links']
    .map((path) => property(path, false))
    .concat(['cellOptions', 'width', 'hideFrom'].map((path) => property(path, true))),
);

function property(path, isCustom) {
  const id = isCustom ? `custom.${path}` : path;
  return { id, path, name: id, isCustom, process: (value) => value, shouldApply: () => true };
}

function fieldConfigOf({ type, fieldConfig }) {
  const { defaults, overrides } = fieldConfig;
  const steps = defaults.thresholds?.steps.map((step) => ({ ...step, value: step.value ?? Number.NEGATIVE_INFINITY }));
  const color = defaults.color ?? { mode: colorModes[type] ?? 'thresholds' };
  const chosen = steps === undefined ? thresholds : { ...defaults.thresholds, steps };
  return { defaults: { ...defaults, color, thresholds: chosen }, overrides };
}

async function framesOf({ type, transformations = [] }, answers) {
  const frames = answers.map((answer) => toDataFrame(answer));
  const transformed = await firstValueFrom(
    transformDataFrame(transformations, frames, { interpolate: replaceVariables }),
  );
  return type === 'state-timeline' ? transformed.map((frame) => applyNullInsertThreshold({ frame })) : transformed;
}

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
    mapped: (config.mappings ?? []).length > 0,
    noValue: config.noValue ?? '',
    values: [...field.values].map((raw, at) => ({ at: times?.values[at] ?? null, raw: raw ?? null, ...display(raw) })),
  };
}

function statFields(panel, data, fieldConfig) {
  const { reduceOptions } = panel.options;
  const values = getFieldDisplayValues({ fieldConfig, reduceOptions, replaceVariables, theme, data, timeZone: 'utc' });
  return values.map(({ name, display, field }) => ({
    name,
    source: '',
    refId: '',
    type: 'number',
    labels: {},
    unit: field.unit ?? '',
    colorMode: field.color?.mode ?? '',
    cell: 'auto',
    mapped: (field.mappings ?? []).length > 0,
    noValue: field.noValue ?? '',
    values: [{ at: null, raw: Number.isNaN(display.numeric) ? null : display.numeric, ...shown(display) }],
  }));
}

async function resolve({ panel, frames: answers }) {
  const fieldConfig = fieldConfigOf(panel);
  const data = await framesOf(panel, answers);
  const frames = applyFieldOverrides({
    data,
    fieldConfig,
    fieldConfigRegistry: properties,
    replaceVariables,
    theme,
    timeZone: 'utc',
  });
  if (panel.type === 'stat') return statFields(panel, frames, fieldConfig);
  return frames.flatMap((frame) =>
    frame.fields.filter(({ type }) => type !== FieldType.time).map((field) => fieldOf(panel, frames, frame, field)),
  );
}

const results = [];
for (const one of JSON.parse(readFileSync(0, 'utf8'))) results.push(await resolve(one));
process.stdout.write(JSON.stringify(results));
