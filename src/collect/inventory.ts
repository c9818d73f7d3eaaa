import type { InventoryChange, InventoryItem } from '../model/inventory.ts';

/** Yields the differences between two lists of one kind of object, in the order of the lists. */
export function* inventoryChanges(
  object: string,
  before: readonly InventoryItem[],
  after: readonly InventoryItem[],
): Generator<InventoryChange> {
  const gone = new Map(before.map((item) => [item.name, item]));
  for (const item of after) {
    const { name } = item;
    const earlier = gone.get(name);
    gone.delete(name);
    if (earlier === undefined) yield { object, change: 'added', name, detail: '' };
    else if (!isSame(earlier, item)) yield { object, change: 'changed', name, detail: differences(earlier, item) };
  }
  for (const name of gone.keys()) yield { object, change: 'removed', name, detail: '' };
}

function isSame(one: InventoryItem, other: InventoryItem): boolean {
  if (one.configuration !== other.configuration || one.parts.length !== other.parts.length) return false;
  return one.parts.every((part, at) => part === other.parts[at]);
}

function differences(before: InventoryItem, after: InventoryItem): string {
  const [earlier, present] = [new Set(before.parts), new Set(after.parts)];
  const removed = before.parts.filter((part) => !present.has(part)).map((part) => `-${part}`);
  const added = after.parts.filter((part) => !earlier.has(part)).map((part) => `+${part}`);
  const configuration = before.configuration === after.configuration ? [] : ['configuration'];
  return [...removed, ...added, ...configuration].join(', ');
}

/** Label value that stands for all names beyond a limit. */
export const otherNames = 'other';

/** Returns the names with the largest counts, at most `most`; of equal counts those first in alphabetical order. */
export function largestNames(counts: ReadonlyMap<string, number>, most: number): ReadonlySet<string> {
  if (counts.size <= most) return new Set(counts.keys());
  const ranked = [...counts].toSorted(
    ([one, count], [other, otherCount]) => otherCount - count || (one < other ? -1 : 1),
  );
  return new Set(ranked.slice(0, most).map(([name]) => name));
}
