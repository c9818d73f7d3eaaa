const tables: ReadonlySet<string> = new Set(['guard_intents', 'guard_outcomes', 'guard_actions']);

/** Whether rows of this table are written once: none is changed, and none goes but by age. */
export function isAppendOnly(table: string): boolean {
  return tables.has(table);
}
