import {
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
  TooltipDisplayMode,
  VisibilityMode,
  VizLegendOptionsBuilder,
  VizTooltipOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common';
import * as heatmap from '@grafana/grafana-foundation-sdk/heatmap';
import * as stat from '@grafana/grafana-foundation-sdk/stat';
import * as statetimeline from '@grafana/grafana-foundation-sdk/statetimeline';
import * as table from '@grafana/grafana-foundation-sdk/table';
import * as timeseries from '@grafana/grafana-foundation-sdk/timeseries';
import type { PanelDefinition, PanelType } from './definition.ts';

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

function timeseriesPanel({ steps = [], stacked }: PanelDefinition): timeseries.PanelBuilder {
  const style = steps.length > 1 ? GraphThresholdsStyleMode.Dashed : GraphThresholdsStyleMode.Off;
  const drawn = new timeseries.PanelBuilder()
    .legend(
      new VizLegendOptionsBuilder()
        .displayMode(LegendDisplayMode.Table)
        .placement(LegendPlacement.Bottom)
        .showLegend(true)
        .calcs(['lastNotNull', 'max']),
    )
    .tooltip({ build: () => ({ mode: TooltipDisplayMode.Multi, sort: SortOrder.Descending }) })
    .fillOpacity(stacked === undefined ? 5 : 30)
    .showPoints(VisibilityMode.Never)
    .thresholdsStyle(new GraphThresholdsStyleConfigBuilder().mode(style));
  return stacked === undefined ? drawn : drawn.stacking(new StackingConfigBuilder().mode(StackingMode.Normal));
}

function statPanel(): stat.PanelBuilder {
  return new stat.PanelBuilder()
    .colorMode(BigValueColorMode.Value)
    .graphMode(BigValueGraphMode.Area)
    .reduceOptions(new ReduceDataOptionsBuilder().calcs(['lastNotNull']));
}

/** One row per set of labels. Each query is a column, and its legend is the title. */
function tablePanel({ queries }: PanelDefinition): table.PanelBuilder {
  const titles = queries.map(({ legend }, at) => [columnName(queries.length, at), legend] as const);
  return new table.PanelBuilder().withTransformation({ id: 'merge', options: {} }).withTransformation({
    id: 'organize',
    options: { excludeByName: { Time: true }, renameByName: Object.fromEntries(titles) },
  });
}

/** Name that Grafana gives to the values of a query: `Value` if it is the only one, otherwise with its refId. */
function columnName(count: number, at: number): string {
  return count === 1 ? 'Value' : `Value #${String.fromCharCode(65 + at)}`;
}

function stateTimelinePanel(): statetimeline.PanelBuilder {
  return new statetimeline.PanelBuilder()
    .mergeValues(true)
    .showValue(VisibilityMode.Auto)
    .rowHeight(0.8)
    .fillOpacity(70)
    .lineWidth(0)
    .perPage(25)
    .legend(new VizLegendOptionsBuilder().placement(LegendPlacement.Bottom).showLegend(true))
    .tooltip(new VizTooltipOptionsBuilder().mode(TooltipDisplayMode.Single));
}

function heatmapPanel({ unit }: PanelDefinition): heatmap.PanelBuilder {
  return new heatmap.PanelBuilder().calculate(false).yAxis(new heatmap.YAxisConfigBuilder().unit(unit));
}
