import type { Random } from '../kernel/system.ts';

/** Returns a pseudorandom generator (mulberry32): the same seed gives the same sequence on every machine. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return {
    next() {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    },
  };
}

/** Returns a number in [0, 1) that depends only on `keys`, for values that must be reproducible at any time. */
export function noiseOf(...keys: readonly (string | number)[]): number {
  return seededRandom(hash(keys.join('\u0000'))).next();
}

/** Returns 32 hexadecimal digits that depend only on `keys`, the format of the server's event ids. */
export function hexId(...keys: readonly (string | number)[]): string {
  const text = keys.join('\u0000');
  return [0, 1, 2, 3].map((part) => hash(`${part}${text}`).toString(16).padStart(8, '0')).join('');
}

/** Returns a factor around 1 that is roughly log-normal, like the run times of queries. */
export function logNormal(random: Random, spread: number): number {
  const sum = random.next() + random.next() + random.next() + random.next() - 2;
  return Math.exp(sum * Math.sqrt(3) * spread);
}

/** Hashes a text with FNV-1a and one more round of mixing, because adjacent times differ only in their last digit. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  return (value ^ (value >>> 13)) >>> 0;
}
