import type { Severity } from '../../src/model/alert.ts';

/** What is promised of something, and how Prometheus sees whether it is kept. */
export interface Objective {
  /** As a rule is named; it is the anchor in the runbook. */
  readonly name: string;
  /** The rule of the catalogue that is about the same: where that is to be seen, this is too. */
  readonly like?: string;
  /** The recorded series of the share of failures are this, a colon and `error_ratio_` with the window. */
  readonly series: string;
  /** The share that has to be good. */
  readonly objective: number;
  /** What tells one from another, beside the labels of the cluster. */
  readonly identity: readonly string[];
  /** Series that are recorded first: cheap to add up over days. */
  readonly inputs: readonly { readonly record: string; readonly expr: string }[];
  /** The share of failures over a window. */
  readonly errorRatio: (window: string) => string;
  /** Where a share says nothing, for it is one of next to nothing. */
  readonly unless?: (window: string) => string;
  readonly summary: string;
  /** What a share of was bad, after the share. */
  readonly failure: string;
}

/** Two windows that both have to burn: the long one, so that it matters, and the short one, so that it still goes on. */
export interface Burn {
  readonly long: string;
  readonly short: string;
  /** So many times as fast as the budget of thirty days allows. */
  readonly factor: number;
  readonly severity: Severity;
  readonly hold: string;
}

/** The four speeds at which a budget burns, as the field has them. */
export const burns: readonly Burn[] = [
  { long: '1h', short: '5m', factor: 14.4, severity: 'critical', hold: '2m' },
  { long: '6h', short: '30m', factor: 6, severity: 'critical', hold: '15m' },
  { long: '1d', short: '2h', factor: 3, severity: 'warning', hold: '1h' },
  { long: '3d', short: '6h', factor: 1, severity: 'warning', hold: '3h' },
];

/** Every window that is recorded. */
export const windows: readonly string[] = [...new Set(burns.flatMap(({ short, long }) => [short, long]))];
