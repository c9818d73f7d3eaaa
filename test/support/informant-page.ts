import type { InformantPage } from '../../src/graphdb/graph-db.ts';
import type { ParsedFamily } from '../../src/model/exposition.ts';
import { sampleValues } from '../../src/model/exposition.ts';

/** A series as labels and the number text that the page has for it. */
export type Line = readonly [labels: Readonly<Record<string, string>>, value: string];

/** Family in the form of the parser. */
export function parsedFamily(name: string, lines: readonly Line[]): ParsedFamily {
  return {
    name,
    type: 'gauge',
    help: '',
    series: lines.map(([labels]) => ({ name, pairs: Object.entries(labels).flat() })),
    values: sampleValues(lines.map(([, value]) => value)),
  };
}

/** A page whose families are given without the prefix that the server puts before them. */
export function informantPage(prefix: string, families: Readonly<Record<string, readonly Line[]>>): InformantPage {
  const parsed = Object.entries(families).map(([name, lines]) => parsedFamily(`${prefix}${name}`, lines));
  return { families: parsed, withheld: [], rejected: 0, unconfirmed: 0, prefix };
}
