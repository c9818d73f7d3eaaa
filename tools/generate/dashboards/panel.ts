import {
  FieldColorBuilder,
  FieldColorModeId,
  MappingType,
  SpecialValueMatch,
  ThresholdsConfigBuilder,
  ThresholdsMode,
  type ValueMapping,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { DataqueryBuilder, PromQueryFormat } from '@grafana/grafana-foundation-sdk/prometheus';
import type { PanelDefinition, Query, StateMapping, ThresholdStep } from './definition.ts';
import { clusterLink, runbookLinks } from './links.ts';
import { type PanelBuilder, panelBuilderFor } from './panel-types.ts';
import { grafanaColors, notObserved } from './value-mappings.ts';
import { datasource } from './variables.ts';

/** Returns the builder of a panel. */
export function buildPanel(panel: PanelDefinition, id: number): PanelBuilder {
  const { type, title, description, unit, width, height, emptyWhenHealthy, opens, rules = [] } = panel;
  const drawn = panelBuilderFor(panel)
    .id(id)
    .title(title)
    .description(description)
    .datasource(datasource)
    .unit(unit)
    .span(width)
    .height(height)
    .targets(panelTargets(panel))
    .links(runbookLinks(rules));
  if (emptyWhenHealthy !== undefined) drawn.noValue(`Nothing to show: ${emptyWhenHealthy}`);
  if (opens !== undefined) drawn.dataLinks([clusterLink(opens, type === 'table' ? 'table' : 'curve')]);
  return withScale(withColors(drawn, panel), panel);
}

function withScale(drawn: PanelBuilder, { scale }: PanelDefinition): PanelBuilder {
  if (scale?.min !== undefined) drawn.min(scale.min);
  if (scale?.max !== undefined) drawn.max(scale.max);
  return drawn;
}

function withColors(drawn: PanelBuilder, { steps, valueMappings }: PanelDefinition): PanelBuilder {
  if (steps !== undefined) drawn.thresholds(thresholdsOf(steps));
  if (valueMappings !== undefined) {
    drawn.mappings(mappingsOf(valueMappings)).colorScheme(unmappedColor);
  }
  return drawn;
}

function thresholdsOf(steps: readonly ThresholdStep[]): ThresholdsConfigBuilder {
  return new ThresholdsConfigBuilder()
    .mode(ThresholdsMode.Absolute)
    .steps(steps.map(({ from, color }, at) => ({ value: at === 0 ? null : from, color })));
}

/**
 * Color of a value that no mapping names. Never the mode `thresholds`: a state timeline that merges equal values then
 * ignores mappings and shows the ranges between thresholds, green below 80 by default.
 */
const unmappedColor = new FieldColorBuilder().mode(FieldColorModeId.Fixed).fixedColor(grafanaColors.grey);

function mappingsOf(states: readonly StateMapping[]): ValueMapping[] {
  const options = states.map(
    ({ value, text, color }, index) => [String(value), { text, color: grafanaColors[color], index }] as const,
  );
  const missing = { text: notObserved, color: grafanaColors.grey, index: states.length };
  return [
    { type: MappingType.ValueToText, options: Object.fromEntries(options) },
    { type: MappingType.SpecialValue, options: { match: SpecialValueMatch.NullAndNan, result: missing } },
  ];
}

/** Returns the queries of a panel, named `A`, `B` …. A table uses only the latest value. */
function panelTargets({ type, queries }: PanelDefinition): DataqueryBuilder[] {
  return queries.map((query, at) => {
    const drawn = buildTarget(query, String.fromCharCode(65 + at));
    if (type === 'table') return drawn.instant().format(PromQueryFormat.Table);
    if (type === 'heatmap') return drawn.range().format(PromQueryFormat.Heatmap);
    return drawn.range();
  });
}

function buildTarget({ expr, legend, exemplar }: Query, refId: string): DataqueryBuilder {
  const drawn = new DataqueryBuilder().refId(refId).expr(expr).legendFormat(legend).datasource(datasource);
  return exemplar === undefined ? drawn : drawn.exemplar(exemplar);
}
