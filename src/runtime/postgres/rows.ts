import type { Row } from '../../kernel/store.ts';

/** Converts a row of PostgreSQL to a row of the store. The tables have only numbers and texts; any other value becomes its JSON text. */
export function toRow(found: Readonly<Record<string, unknown>>): Row {
  return Object.fromEntries(
    Object.entries(found).map(([column, value]) => [
      column,
      value === null || typeof value === 'number' || typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
}
