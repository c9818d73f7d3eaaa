import { seededRandom } from '../../../src/simulator/seeded-random.ts';

/** Random numbers for scenarios. The same seed gives the same numbers. */
export interface RandomSource {
  /** Returns a random integer, both ends included. */
  between(least: number, most: number): number;
  chance(share: number): boolean;
  pick<T>(list: readonly T[]): T;
}

/** Returns the random source of a seed. Sources with different `stream` are independent of each other. */
export function randomSource(seed: number, stream = 0): RandomSource {
  const random = seededRandom(Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(stream + 1, 0x85ebca6b));
  const between = (least: number, most: number) => least + Math.floor(random.next() * (most - least + 1));
  return {
    between,
    chance: (share) => random.next() < share,
    pick(list) {
      const chosen = list[between(0, list.length - 1)];
      if (chosen === undefined) throw new Error('nothing to choose from');
      return chosen;
    },
  };
}
