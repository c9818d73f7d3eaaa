import { seededRandom } from '../src/simulator/chance.ts';

/** So many of `all`, the same for the same seed, in the order in which they were; all where there are no more. */
export function sampleOf<Item>(all: readonly Item[], count: number, seed: number): readonly Item[] {
  const random = seededRandom(seed);
  const drawn = new Set(
    all
      .map((item) => ({ item, lot: random.next() }))
      .toSorted((one, other) => one.lot - other.lot)
      .slice(0, count)
      .map(({ item }) => item),
  );
  return all.filter((item) => drawn.has(item));
}
