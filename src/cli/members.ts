/** What a daemon, perhaps of another version, answered in JSON: nothing is known of it yet. */
export type Members = Readonly<Record<string, unknown>>;

/** The members of a JSON object; none of what is no object. */
export function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** A member that is to be a text; `''` where it is none. */
export function textOf(members: Members, name: string): string {
  const value = members[name];
  return typeof value === 'string' ? value : '';
}

/** A page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly total: number;
}

/** Reads a page item by item; undefined where the answer is no page, or one of them is no item. */
export function readPage<Item>(answer: unknown, read: (item: unknown) => Item | undefined): Page<Item> | undefined {
  const { items, total } = membersOf(answer);
  if (!Array.isArray(items) || typeof total !== 'number' || !Number.isFinite(total)) return undefined;
  const known = items.map(read).filter((one) => one !== undefined);
  return known.length === items.length ? { items: known, total } : undefined;
}
