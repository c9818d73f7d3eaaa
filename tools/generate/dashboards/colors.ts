import {
  FieldColorBuilder,
  FieldColorModeId,
  MappingType,
  SpecialValueMatch,
  ThresholdsConfigBuilder,
  ThresholdsMode,
  type ValueMapping,
} from '@grafana/grafana-foundation-sdk/dashboard';
import type { StateColor } from '../../../src/model/service.ts';
import type { StateMapping, ThresholdStep } from './definition.ts';

/** Grafana's names of the colors; it has no name for grey. */
const grafanaColors: Readonly<Record<StateColor, string>> = {
  green: 'green',
  yellow: 'yellow',
  blue: 'blue',
  orange: 'orange',
  red: 'red',
  grey: '#8e8e8e',
};

/**
 * Color of a value that no mapping names. Never the mode `thresholds`: a state timeline that merges equal values then
 * ignores mappings and shows the ranges between thresholds, green below 80 by default.
 */
export const unmappedColor = new FieldColorBuilder().mode(FieldColorModeId.Fixed).fixedColor(grafanaColors.grey);

/** Returns Grafana's form of thresholds. */
export function thresholdsOf(steps: readonly ThresholdStep[]): ThresholdsConfigBuilder {
  return new ThresholdsConfigBuilder()
    .mode(ThresholdsMode.Absolute)
    .steps(steps.map(({ from, color }, at) => ({ value: at === 0 ? null : from, color })));
}

/** Returns Grafana's form of states, with grey for a time without a value. */
export function mappingsOf(states: readonly StateMapping[]): ValueMapping[] {
  const options = states.map(
    ({ value, text, color }, index) => [String(value), { text, color: grafanaColors[color], index }] as const,
  );
  return [
    { type: MappingType.ValueToText, options: Object.fromEntries(options) },
    missingValue('not observed', states.length),
  ];
}

/** Returns the mapping of a missing value to a grey text. */
export function missingValue(text: string, index = 0): ValueMapping {
  const result = { text, color: grafanaColors.grey, index };
  return { type: MappingType.SpecialValue, options: { match: SpecialValueMatch.NullAndNan, result } };
}
