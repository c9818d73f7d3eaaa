import type { Row } from '../../kernel/store.ts';

/** The tables have only numbers and texts. */
export function toRow(found: Readonly<Record<string, unknown>>): Row {
  return Object.fromEntries(
    Object.entries(found).map(([column, value]) => [
      column,
      value === null || typeof value === 'number' || typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
}
