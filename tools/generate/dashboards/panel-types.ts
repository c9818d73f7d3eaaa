import {
  AxisPlacement,
  BigValueColorMode,
  BigValueGraphMode,
  GraphThresholdsStyleConfigBuilder,
  GraphThresholdsStyleMode,
  LegendDisplayMode,
  LegendPlacement,
  ReduceDataOptionsBuilder,
  SortOrder,
  StackingConfigBuilder,
  StackingMode,
  TableSortByFieldStateBuilder,
  TooltipDisplayMode,
  VisibilityMode,
  VizLegendOptionsBuilder,
  VizTooltipOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common';
import type { DynamicConfigValue } from '@grafana/grafana-foundation-sdk/dashboard';
import * as heatmap from '@grafana/grafana-foundation-sdk/heatmap';
import * as stat from '@grafana/grafana-foundation-sdk/stat';
import * as statetimeline from '@grafana/grafana-foundation-sdk/statetimeline';
import * as table from '@grafana/grafana-foundation-sdk/table';
import * as timeseries from '@grafana/grafana-foundation-sdk/timeseries';
import { mappingsOf, missingValue, thresholdsOf, unmappedColor } from './colors.ts';
import type { Column, PanelDefinition, PanelType, Unit } from './definition.ts';
import { instanceLabel } from './promql.ts';

/** Builder of a panel of any type. */
export type PanelBuilder =
  | timeseries.PanelBuilder
  | stat.PanelBuilder
  | statetimeline.PanelBuilder
  | table.PanelBuilder
  | heatmap.PanelBuilder;

const panelBuilders: Readonly<Record<PanelType, (panel: PanelDefinition) => PanelBuilder>> = {
  timeseries: timeseriesPanel,
  stat: statPanel,
  table: tablePanel,
  'state-timeline': stateTimelinePanel,
  heatmap: heatmapPanel,
};

/** Returns a builder with the settings of the panel type. */
export function panelBuilderFor(panel: PanelDefinition): PanelBuilder {
  return panelBuilders[panel.type](panel);
}

/** Builds a time series. The worst series come first in the legend, which shows three rows without scrolling. */
function timeseriesPanel(panel: PanelDefinition): timeseries.PanelBuilder {
  const { steps = [], stacked, lowIsBad } = panel;
  const style = steps.length > 1 ? GraphThresholdsStyleMode.Dashed : GraphThresholdsStyleMode.Off;
  const drawn = new timeseries.PanelBuilder()
    .legend(
      new VizLegendOptionsBuilder()
        .displayMode(LegendDisplayMode.Table)
        .placement(LegendPlacement.Bottom)
        .showLegend(true)
        .calcs(['lastNotNull', 'max'])
        .sortBy('Last *')
        .sortDesc(lowIsBad !== true),
    )
    .tooltip({ build: () => ({ mode: TooltipDisplayMode.Multi, sort: SortOrder.Descending }) })
    .fillOpacity(stacked === undefined ? 0 : 30)
    .showPoints(VisibilityMode.Never)
    .thresholdsStyle(new GraphThresholdsStyleConfigBuilder().mode(style));
  const end = visibleEnd(panel);
  if (end !== undefined) drawn.axisSoftMax(end);
  return stacked === undefined ? drawn : drawn.stacking(new StackingConfigBuilder().mode(StackingMode.Normal));
}

/** Returns the minimum end of the axis. Without it, Grafana draws an axis up to 100 or 10000 % if all values are 0. */
function visibleEnd({ unit, scale }: PanelDefinition): number | undefined {
  if (scale?.min !== 0 || scale.max !== undefined) return undefined;
  const ends: Partial<Record<Unit, number>> = { short: 1, percentunit: 0.1 };
  return ends[unit];
}

function statPanel(): stat.PanelBuilder {
  return new stat.PanelBuilder()
    .colorMode(BigValueColorMode.Value)
    .graphMode(BigValueGraphMode.None)
    .reduceOptions(new ReduceDataOptionsBuilder().calcs(['lastNotNull']));
}

/** Headers of labels. */
const headers: Readonly<Record<string, string>> = {
  cluster_name: 'Cluster',
  commit: 'Commit',
  component: 'Component',
  instance: 'Instance',
  node: 'Node',
  rule: 'Alert',
  service_name: 'Service',
  [instanceLabel]: 'Service instance',
  version: 'Version',
};

/** Builds a table with one row per set of labels. Each query is a column, and its legend is the title. */
function tablePanel({ queries, sortedBy }: PanelDefinition): table.PanelBuilder {
  const values = queries.map(({ legend }, at) => [columnName(queries.length, at), legend] as const);
  const names = [...Object.entries(headers), ...values];
  const drawn = new table.PanelBuilder().withTransformation({ id: 'merge', options: {} }).withTransformation({
    id: 'organize',
    options: {
      // The name of the service instance contains the partition and the replica.
      excludeByName: { Time: true, partition: true, replica: true },
      indexByName: Object.fromEntries(names.map(([name], at) => [name, at])),
      renameByName: Object.fromEntries(names),
    },
  });
  // Otherwise each empty cell would show the text of a panel without data.
  drawn.overrideByRegexp('.*', [{ id: 'noValue', value: emptyCell }]);
  for (const { legend, column } of queries) if (column !== undefined) withColumn(drawn, legend, column);
  return sortedBy === undefined
    ? drawn
    : drawn.sortBy([new TableSortByFieldStateBuilder().displayName(sortedBy).desc(true)]);
}

/** Text of a cell without a value. */
const emptyCell = '–';

/** Colors the cells of a column: their background if they name a state, their text if they hold a number. */
function withColumn(drawn: table.PanelBuilder, name: string, { unit, steps, valueMappings }: Column): void {
  const properties: DynamicConfigValue[] = [];
  if (unit !== undefined) properties.push({ id: 'unit', value: unit });
  if (steps !== undefined) {
    properties.push({ id: 'thresholds', value: thresholdsOf(steps).build() }, cellOptions('color-text'));
    properties.push({ id: 'color', value: { mode: 'thresholds' } });
    properties.push({ id: 'mappings', value: [missingValue(emptyCell)] });
  }
  if (valueMappings !== undefined) {
    properties.push({ id: 'mappings', value: mappingsOf(valueMappings) }, cellOptions('color-background'));
    properties.push({ id: 'color', value: unmappedColor.build() });
  }
  drawn.overrideByName(name, properties);
}

function cellOptions(type: 'color-text' | 'color-background'): DynamicConfigValue {
  return { id: 'custom.cellOptions', value: type === 'color-text' ? { type } : { type, mode: 'basic' } };
}

/** Name that Grafana gives to the values of a query: `Value` if it is the only one, otherwise with its refId. */
function columnName(count: number, at: number): string {
  return count === 1 ? 'Value' : `Value #${String.fromCharCode(65 + at)}`;
}

/** Height in pixels of a line of the grid, of the lowest band with a readable name, and of everything else in a panel. */
const [gridLine, lowestBand, aroundBands] = [38, 16, 118];

/** Builds a state timeline. Bands are split into pages, because Grafana makes the bands of a page as low as needed to fit. */
function stateTimelinePanel({ height }: PanelDefinition): statetimeline.PanelBuilder {
  return new statetimeline.PanelBuilder()
    .mergeValues(true)
    .showValue(VisibilityMode.Auto)
    .rowHeight(0.8)
    .fillOpacity(70)
    .lineWidth(0)
    .perPage(Math.floor((height * gridLine - aroundBands) / lowestBand))
    .legend(new VizLegendOptionsBuilder().placement(LegendPlacement.Bottom).showLegend(true))
    .tooltip(new VizTooltipOptionsBuilder().mode(TooltipDisplayMode.Single));
}

/** Builds a heatmap. The unit is that of the axis; the cells contain counts. */
function heatmapPanel({ unit }: PanelDefinition): heatmap.PanelBuilder {
  return new heatmap.PanelBuilder()
    .calculate(false)
    .yAxis(new heatmap.YAxisConfigBuilder().unit(unit).decimals(0).axisPlacement(AxisPlacement.Left))
    .cellValues({ build: () => ({ unit: 'short', decimals: 0 }) })
    .filterValues({ build: () => ({ le: 1e-9 }) })
    .color(new heatmap.HeatmapColorOptionsBuilder().mode(heatmap.HeatmapColorMode.Scheme).scheme('Blues').steps(32))
    .hideLegend();
}
