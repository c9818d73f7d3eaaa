import type { InformantPage } from '../../src/graphdb/graph-db.ts';
import type { ParsedFamily } from '../../src/model/exposition.ts';
import { sampleValues } from '../../src/model/exposition.ts';

/** Labels of a series, and its value as the text on the page. */
export type Line = readonly [labels: Readonly<Record<string, string>>, value: string];

/** Returns a family as the parser does. */
export function parsedFamily(name: string, lines: readonly Line[]): ParsedFamily {
  return {
    name,
    type: 'gauge',
    help: '',
    series: lines.map(([labels]) => ({ name, pairs: Object.entries(labels).flat() })),
    values: sampleValues(lines.map(([, value]) => value)),
  };
}

/** Returns a page with families whose names are given without `prefix`. */
export function informantPage(prefix: string, families: Readonly<Record<string, readonly Line[]>>): InformantPage {
  const parsed = Object.entries(families).map(([name, lines]) => parsedFamily(`${prefix}${name}`, lines));
  return { families: parsed, withheld: [], rejected: 0, unconfirmed: 0, prefix };
}
