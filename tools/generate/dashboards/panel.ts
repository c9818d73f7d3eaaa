import { DataqueryBuilder, PromQueryFormat } from '@grafana/grafana-foundation-sdk/prometheus';
import { mappingsOf, missingValue, thresholdsOf, unmappedColor } from './colors.ts';
import type { PanelDefinition, Query } from './definition.ts';
import { drillDownLink, runbookLinks } from './links.ts';
import { type PanelBuilder, panelBuilderFor } from './panel-types.ts';
import { datasource } from './variables.ts';

/** Explanation of the text `unknown` in place of a number. */
const meaningOfUnknown = 'It is unknown while data of a cluster is missing.';

/** Returns the builder of a panel. */
export function buildPanel(panel: PanelDefinition, id: number): PanelBuilder {
  const { type, title, description, unit, width, height, opens = [], rules = [] } = panel;
  const drawn = panelBuilderFor(panel)
    .id(id)
    .title(title)
    .description(type === 'stat' ? `${description} ${meaningOfUnknown}` : description)
    .datasource(datasource)
    .unit(type === 'heatmap' ? 'short' : unit)
    .span(width)
    .height(height)
    .targets(panelTargets(panel))
    .links(runbookLinks(rules))
    .noValue(textWithoutData(panel))
    .dataLinks(opens.map((target) => drillDownLink(target, type === 'table' ? 'table' : 'curve')));
  return withScale(withColors(drawn, panel), panel);
}

/** Text of a panel without data. The data source may be empty even if a reason for a healthy cluster exists. */
function textWithoutData({ emptyWhenHealthy }: PanelDefinition): string {
  const missing = 'Prometheus has no series for the selection';
  return emptyWhenHealthy === undefined ? `No data: ${missing}` : `No data: ${emptyWhenHealthy}, or ${missing}`;
}

function withScale(drawn: PanelBuilder, { scale }: PanelDefinition): PanelBuilder {
  if (scale?.min !== undefined) drawn.min(scale.min);
  if (scale?.max !== undefined) drawn.max(scale.max);
  return drawn;
}

function withColors(drawn: PanelBuilder, panel: PanelDefinition): PanelBuilder {
  const { type, steps, valueMappings } = panel;
  if (steps !== undefined) drawn.thresholds(thresholdsOf(steps));
  // Without this mapping, a missing number has the color of the lowest threshold. A longer text would be tiny.
  if (type === 'stat') drawn.mappings([missingValue('unknown')]);
  if (valueMappings !== undefined) drawn.mappings(mappingsOf(valueMappings)).colorScheme(unmappedColor);
  return drawn;
}

/**
 * Returns the queries of a panel, named `A`, `B` …. A table or a number shows only the present value: with a range, Grafana
 * shows the last value of a series that has ended.
 */
function panelTargets({ type, queries }: PanelDefinition): DataqueryBuilder[] {
  return queries.map((query, at) => {
    const drawn = buildTarget(query, String.fromCharCode(65 + at));
    if (type === 'table') return drawn.instant().format(PromQueryFormat.Table);
    if (type === 'stat') return drawn.instant();
    if (type === 'heatmap') return drawn.range().format(PromQueryFormat.Heatmap);
    return drawn.range();
  });
}

function buildTarget({ expr, legend, exemplar }: Query, refId: string): DataqueryBuilder {
  const drawn = new DataqueryBuilder().refId(refId).expr(expr).legendFormat(legend).datasource(datasource);
  return exemplar === undefined ? drawn : drawn.exemplar(exemplar);
}
