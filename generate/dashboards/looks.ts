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
import type { Look, PanelDefinition } from './definition.ts';

/** A panel of any look, before what all looks have in common is drawn on it. */
export type PanelBuilder =
  | timeseries.PanelBuilder
  | stat.PanelBuilder
  | statetimeline.PanelBuilder
  | table.PanelBuilder
  | heatmap.PanelBuilder;

const looks: Readonly<Record<Look, (panel: PanelDefinition) => PanelBuilder>> = {
  timeseries: curves,
  stat: number,
  table: rows,
  'state-timeline': bands,
  heatmap: densities,
};

/** What is particular to the look of a panel. */
export function lookOf(panel: PanelDefinition): PanelBuilder {
  return looks[panel.look](panel);
}

function curves({ steps = [], stacked }: PanelDefinition): timeseries.PanelBuilder {
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

function number(): stat.PanelBuilder {
  return new stat.PanelBuilder()
    .colorMode(BigValueColorMode.Value)
    .graphMode(BigValueGraphMode.Area)
    .reduceOptions(new ReduceDataOptionsBuilder().calcs(['lastNotNull']));
}

/** One row for each set of labels: the queries are columns, called as their legends say. */
function rows({ queries }: PanelDefinition): table.PanelBuilder {
  const titles = queries.map(({ legend }, at) => [columnOf(queries.length, at), legend] as const);
  return new table.PanelBuilder().withTransformation({ id: 'merge', options: {} }).withTransformation({
    id: 'organize',
    options: { excludeByName: { Time: true }, renameByName: Object.fromEntries(titles) },
  });
}

/** Grafana calls the values of several queries by the names of these, and of a single one just `Value`. */
function columnOf(count: number, at: number): string {
  return count === 1 ? 'Value' : `Value #${String.fromCharCode(65 + at)}`;
}

function bands(): statetimeline.PanelBuilder {
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

function densities({ unit }: PanelDefinition): heatmap.PanelBuilder {
  return new heatmap.PanelBuilder().calculate(false).yAxis(new heatmap.YAxisConfigBuilder().unit(unit));
}
