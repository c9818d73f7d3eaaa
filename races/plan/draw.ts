import { seededRandom } from '../../src/simulator/chance.ts';

/** Chance in the forms in which scenes want it: the same seed draws the same. */
export interface Draw {
  /** A whole number, both ends included. */
  between(least: number, most: number): number;
  chance(share: number): boolean;
  of<T>(list: readonly T[]): T;
}

/** All that is drawn for one seed; `stream` tells apart what shall not depend on each other. */
export function drawOf(seed: number, stream = 0): Draw {
  const random = seededRandom(Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(stream + 1, 0x85ebca6b));
  const between = (least: number, most: number) => least + Math.floor(random.next() * (most - least + 1));
  return {
    between,
    chance: (share) => random.next() < share,
    of(list) {
      const chosen = list[between(0, list.length - 1)];
      if (chosen === undefined) throw new Error('nothing to choose from');
      return chosen;
    },
  };
}
