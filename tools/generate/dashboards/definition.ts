import type { StateColor } from '../../../src/model/service.ts';

/** Visualization of a panel. All of them are part of Grafana itself. */
export type PanelType = 'timeseries' | 'stat' | 'table' | 'state-timeline' | 'heatmap';

/** Units of the panels, as Grafana names them. */
export type Unit = 'none' | 'short' | 'percentunit' | 'bytes' | 'Bps' | 's' | 'reqps' | 'ops' | 'dateTimeAsIso';

/** Dashboard that a click on a row or series opens, and what it selects there. */
export type LinkTarget = 'cluster' | 'node' | 'queries' | 'service';

/** Look of the values of a query in a table. */
export interface Column {
  readonly unit?: Unit;
  readonly steps?: readonly ThresholdStep[];
  readonly valueMappings?: readonly StateMapping[];
}

/** One query of a panel. */
export interface Query {
  /** PromQL, built with `promql.ts` so that every selector has its matchers. */
  readonly expr: string;
  /** Pattern for the name of a series; in a table, the title of the column. */
  readonly legend: string;
  /** Set in tables whose values have a color or a unit. */
  readonly column?: Column;
  /** Set if the metric has exemplars. Grafana then shows traces as points. */
  readonly exemplar?: true;
}

/** Color of values from `from` on. Grafana ignores `from` of the first step. */
export interface ThresholdStep {
  readonly from: number;
  readonly color: string;
}

/** Text and color of one value of a state. */
export interface StateMapping {
  readonly value: number;
  readonly text: string;
  readonly color: StateColor;
}

/** One panel: only what differs between panels. */
export interface PanelDefinition {
  readonly type: PanelType;
  readonly title: string;
  readonly description: string;
  readonly unit: Unit;
  /** Width in columns, of 24. */
  readonly width: number;
  readonly height: number;
  readonly queries: readonly Query[];
  /** Reason why the panel is empty on a healthy cluster. Omit it if the panel always has data. */
  readonly emptyWhenHealthy?: string;
  readonly steps?: readonly ThresholdStep[];
  readonly valueMappings?: readonly StateMapping[];
  readonly stacked?: true;
  /** Set if low values are bad: the legend then lists the lowest ones first. */
  readonly lowIsBad?: true;
  /** Bounds of the axis, if they are known. */
  readonly scale?: { readonly min?: number; readonly max?: number };
  /** What a click on a row or series opens, for the cluster, node or service of that row or series. */
  readonly opens?: readonly LinkTarget[];
  /** Column of a table that its rows are sorted by, the highest values first. */
  readonly sortedBy?: string;
  /** Rules whose runbook entries the panel links. */
  readonly rules?: readonly string[];
}

/** Panels under one heading. */
export interface RowDefinition {
  readonly title: string;
  /** Set if the row is closed until a person opens it. Grafana runs its queries only then. */
  readonly collapsed?: true;
  readonly panels: readonly PanelDefinition[];
}

/** Annotations on the time axis of every panel. */
export interface AnnotationDefinition {
  readonly name: string;
  readonly expr: string;
  readonly title: string;
  readonly color: string;
  /** Reason why a healthy cluster has none. */
  readonly emptyWhenHealthy: string;
}

/** One dashboard. */
export interface DashboardDefinition {
  /** Name of the file and, after `graphwarden-`, the uid. Neither may change, or links break. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: readonly AnnotationDefinition[];
  readonly rows: readonly RowDefinition[];
}
