import type { ParsedSeries } from '../model/exposition.ts';
import type { Exemplars } from './exemplars.ts';
import type { Family } from './family.ts';
import type { Lines, Rows } from './lines.ts';

/** A row's identity: a series of the server, or the labels of one of our own samples. */
export type RowKey = ParsedSeries | Readonly<Record<string, string>>;

/** What one source shows of one family: finished lines without header. */
export interface Fragment {
  readonly family: Family;
  /** The labels before every line, rendered: lines of fragments that differ here are never the same series. */
  readonly base: string;
  readonly lines: Lines<RowKey>;
  /** The same lines with exemplars, which OpenMetrics alone can have. Absent where there are none. */
  readonly annotated?: Uint8Array;
}

/** A family of a source, not rendered yet. */
export interface Draft {
  readonly family: Family;
  readonly rows: Rows<RowKey>;
  readonly exemplars?: Exemplars;
}

/** True for a series of the server. Asks without reading `pairs`, which the parser makes only for those who do. */
export function isSeries(key: RowKey): key is ParsedSeries {
  return 'pairs' in key && 'name' in key;
}
