/**
 * The fields of a panel as Grafana resolves them: transformations, overrides, units, value mappings and thresholds are
 * Grafana's own code (@grafana/data). The defaults of each panel type are not in that library and repeated here.
 */
import {
  applyFieldOverrides,
  applyNullInsertThreshold,
  cacheFieldDisplayNames,
  createTheme,
  getFieldDisplayValues,
  Registry,
  standardTransformers,
  standardTransformersRegistry,
  toDataFrame,
  transformDataFrame,
} from '@grafana/data';
import { firstValueFrom } from 'rxjs';

/** Theme of most installations. */
export const theme = createTheme({ colors: { mode: 'dark' } });
/** Variables have values in the queries already. */
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

async function framesOf({ type, transformations = [] }, answers, end) {
  const frames = answers.map((answer) => toDataFrame(answer));
  const transformed = await firstValueFrom(
    transformDataFrame(transformations, frames, { interpolate: replaceVariables }),
  );
  return type === 'state-timeline'
    ? transformed.map((frame) => applyNullInsertThreshold({ frame, refFieldPseudoMax: end }))
    : transformed;
}

/**
 * Returns the configuration of the fields of a panel, and its data frames with the configuration of each field. A state
 * timeline without values before `end`, in ms, gets a missing value there.
 */
export async function resolveFrames({ panel, frames: answers }, end) {
  const fieldConfig = fieldConfigOf(panel);
  const data = await framesOf(panel, answers, end);
  const resolved = { data, fieldConfig, fieldConfigRegistry: properties, replaceVariables, theme, timeZone: 'utc' };
  const frames = applyFieldOverrides(resolved);
  cacheFieldDisplayNames(frames);
  return { fieldConfig, frames };
}

/** Returns the values that a panel with one number shows. */
export function statValues({ options: { reduceOptions } }, { fieldConfig, frames: data }, sparkline = false) {
  return getFieldDisplayValues({
    fieldConfig,
    reduceOptions,
    replaceVariables,
    theme,
    data,
    timeZone: 'utc',
    sparkline,
  });
}
