import type { StateColor } from '../../../src/model/service.ts';
import type {
  Column,
  PanelDefinition,
  PanelType,
  Query,
  RowDefinition,
  StateMapping,
  ThresholdStep,
} from './definition.ts';

/** A panel whose width is that of its row unless it states its own. */
type RowPanel = Omit<PanelDefinition, 'width'> & { readonly width?: number };
/** Fields of a panel that have a default. */
type PanelOptions = Partial<Omit<PanelDefinition, 'type' | 'title' | 'description' | 'queries'>>;
type Constructor = (
  title: string,
  description: string,
  queries: Query | readonly Query[],
  options?: PanelOptions,
) => RowPanel;

/** Returns a row with panels of one width, in columns of 24. */
export function row(title: string, width: number, panels: readonly RowPanel[]): RowDefinition {
  return { title, panels: panels.map((panel) => ({ width, ...panel })) };
}

/** Returns a row that is closed until a person opens it. */
export function collapsedRow(title: string, width: number, panels: readonly RowPanel[]): RowDefinition {
  return { ...row(title, width, panels), collapsed: true };
}

/** Returns a query whose values are a column of a table. */
export function column(expr: string, legend: string, look: Column = {}): Query {
  return { expr, legend, column: look };
}

/** Returns a query. `legend` names each series; in a table it is the title of the column. */
export function query(expr: string, legend: string): Query {
  return { expr, legend };
}

/** Returns a query of a metric with exemplars. */
export function queryWithExemplars(expr: string, legend: string): Query {
  return { expr, legend, exemplar: true };
}

/** Curves over time. The axis starts at 0 unless `scale` says otherwise. */
export const timeseries = constructorOf('timeseries', { unit: 'short', height: 8, scale: { min: 0 } });
/** The present value as a number. */
export const stat = constructorOf('stat', { unit: 'short', height: 5 });
/** The present values, one row for each set of labels. */
export const table = constructorOf('table', { unit: 'short', height: 8 });
/** Bands that change color with the state. */
export const stateTimeline = constructorOf('state-timeline', { unit: 'none', height: 8 });
/** Distribution of a histogram over time. */
export const heatmap = constructorOf('heatmap', { unit: 's', height: 8 });

/** Returns thresholds that turn to `color` at `from` and are green below. */
export function greenBelow(from: number, color: 'orange' | 'red'): readonly ThresholdStep[] {
  return [
    { from: 0, color: 'green' },
    { from, color },
  ];
}

/** Returns thresholds that are red below `orange`, orange below `green`, and green above. */
export function greenAbove(orange: number, green: number): readonly ThresholdStep[] {
  return [
    { from: 0, color: 'red' },
    { from: orange, color: 'orange' },
    { from: green, color: 'green' },
  ];
}

/** Returns the text and color of 0 and of 1. */
export function zeroOne(
  [zero, zeroColor]: readonly [text: string, color: StateColor],
  [one, oneColor]: readonly [text: string, color: StateColor],
): readonly StateMapping[] {
  return [
    { value: 0, text: zero, color: zeroColor },
    { value: 1, text: one, color: oneColor },
  ];
}

function constructorOf(type: PanelType, defaults: Pick<PanelDefinition, 'unit' | 'height' | 'scale'>): Constructor {
  return (title, description, queries, options = {}) => ({
    ...defaults,
    type,
    title,
    description,
    queries: 'expr' in queries ? [queries] : queries,
    ...options,
  });
}
