/** How a panel shows its queries; all of them are part of Grafana itself. */
export type Look = 'timeseries' | 'stat' | 'table' | 'state-timeline' | 'heatmap';

/** Units that the panels use, in Grafana's own words. */
export type Unit = 'none' | 'short' | 'percentunit' | 'bytes' | 'Bps' | 's' | 'reqps' | 'ops' | 'dateTimeAsIso';

/** One query of a panel. */
export interface Query {
  /** Built by `series.ts`, so that no selector is without its matchers. */
  readonly expr: string;
  /** Grafana's pattern for the name of a series; in a table the title of the column. */
  readonly legend: string;
  /** Where the family has exemplars: traces are then shown as points. */
  readonly exemplar?: true;
}

/** From this value on, this colour; of the first step the value says nothing. */
export interface Step {
  readonly from: number;
  readonly color: string;
}

/** One value of a state, by its name. */
export interface State {
  readonly value: number;
  readonly text: string;
  readonly color: string;
}

/** One panel, as little as tells it from others. */
export interface PanelDefinition {
  readonly look: Look;
  readonly title: string;
  readonly description: string;
  readonly unit: Unit;
  /** Of 24 columns. */
  readonly width: number;
  readonly height?: number;
  readonly queries: readonly Query[];
  /** Why there is nothing to show while all is well; absent where there is always something. */
  readonly emptyWhenHealthy?: string;
  readonly steps?: readonly Step[];
  readonly states?: readonly State[];
  readonly stacked?: true;
  /** The scale, where it is known beforehand. */
  readonly scale?: { readonly min?: number; readonly max?: number };
  /** The dashboard that a row or a curve opens, with the cluster that it is about. */
  readonly opens?: 'cluster';
  /** Rules whose entries of the runbook say what to do about what is seen here. */
  readonly rules?: readonly string[];
}

/** Panels under one heading. */
export interface RowDefinition {
  readonly title: string;
  readonly panels: readonly PanelDefinition[];
}

/** A mark on the time axis of every panel. */
export interface MarkDefinition {
  readonly name: string;
  readonly expr: string;
  readonly title: string;
  readonly color: string;
  /** Why there is none while all is well. */
  readonly emptyWhenHealthy: string;
}

/** One dashboard. */
export interface DashboardDefinition {
  /** The file, and after `graphwarden-` the uid: neither may ever change, or links break. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly marks: readonly MarkDefinition[];
  readonly rows: readonly RowDefinition[];
}
