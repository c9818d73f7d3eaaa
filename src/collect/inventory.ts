import type { InventoryChange, InventoryItem } from '../model/inventory.ts';

/** Yields the differences between two lists of one kind of object, in the order of the lists. */
export function* inventoryChanges(
  object: string,
  before: readonly InventoryItem[],
  after: readonly InventoryItem[],
): Generator<InventoryChange> {
  const gone = new Map(before.map(({ name, parts }) => [name, parts]));
  for (const { name, parts } of after) {
    const earlier = gone.get(name);
    gone.delete(name);
    if (earlier === undefined) yield { object, change: 'added', name, detail: '' };
    else if (!sameParts(earlier, parts)) yield { object, change: 'changed', name, detail: differences(earlier, parts) };
  }
  for (const name of gone.keys()) yield { object, change: 'removed', name, detail: '' };
}

function sameParts(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((part, at) => part === other[at]);
}

function differences(before: readonly string[], after: readonly string[]): string {
  const [earlier, present] = [new Set(before), new Set(after)];
  const removed = before.filter((part) => !present.has(part)).map((part) => `-${part}`);
  const added = after.filter((part) => !earlier.has(part)).map((part) => `+${part}`);
  return [...removed, ...added].join(', ');
}

/** Label value that stands for all names beyond a limit. */
export const otherNames = 'other';

/** Returns the names with the largest counts, at most `most`; of equal counts those first in the alphabet. */
export function largestNames(counts: ReadonlyMap<string, number>, most: number): ReadonlySet<string> {
  if (counts.size <= most) return new Set(counts.keys());
  const ranked = [...counts].toSorted(
    ([one, count], [other, otherCount]) => otherCount - count || (one < other ? -1 : 1),
  );
  return new Set(ranked.slice(0, most).map(([name]) => name));
}
