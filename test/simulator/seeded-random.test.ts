import { describe, expect, it } from 'vitest';
import { hexId, logNormal, noiseOf, seededRandom } from '../../src/simulator/seeded-random.ts';

function draws(seed: number, count: number): readonly number[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => random.next());
}

describe('seededRandom', () => {
  it('has equal numbers for equal seeds, and different ones for different seeds', () => {
    expect(draws(7, 20)).toEqual(draws(7, 20));
    expect(draws(7, 20)).not.toEqual(draws(8, 20));
  });

  it('is uniform in [0, 1)', () => {
    const values = draws(3, 10_000);
    expect(Math.min(...values)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...values)).toBeLessThan(1);
    expect(values.filter((value) => value < 0.25).length / values.length).toBeCloseTo(0.25, 1);
    expect(values.reduce((sum, value) => sum + value, 0) / values.length).toBeCloseTo(0.5, 1);
  });
});

describe('noise', () => {
  it('depends only on its keys', () => {
    expect(noiseOf(1, 'm1', 60)).toBe(noiseOf(1, 'm1', 60));
    expect(noiseOf(1, 'm1', 60)).not.toBe(noiseOf(1, 'm1', 61));
    expect(noiseOf(1, 'a', 'b')).not.toBe(noiseOf(1, 'ab', ''));
  });

  it('differs between adjacent keys', () => {
    const values = Array.from({ length: 1_000 }, (_, index) => noiseOf('m1', index));
    expect(new Set(values).size).toBe(1_000);
    expect(values.reduce((sum, value) => sum + value, 0) / values.length).toBeCloseTo(0.5, 1);
  });
});

describe('hexId', () => {
  it('has 32 digits and depends on its keys', () => {
    expect(hexId('a', 1)).toMatch(/^[0-9a-f]{32}$/);
    expect(hexId('a', 1)).toBe(hexId('a', 1));
    expect(hexId('a', 1)).not.toBe(hexId('a', 2));
  });
});

describe('logNormal', () => {
  it('has the median 1', () => {
    const random = seededRandom(11);
    const values = Array.from({ length: 4_000 }, () => logNormal(random, 0.6));
    expect(values.filter((value) => value < 1).length / values.length).toBeCloseTo(0.5, 1);
    expect(Math.min(...values)).toBeGreaterThan(0);
    expect(Math.max(...values)).toBeLessThan(10);
  });

  it('is exactly 1 without spread', () => {
    expect(logNormal(seededRandom(1), 0)).toBe(1);
  });
});
