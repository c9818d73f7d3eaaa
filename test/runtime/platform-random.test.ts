import { expect, it } from 'vitest';
import { systemRandom } from '../../src/runtime/system-ports.ts';

it('random › is uniform in [0, 1)', () => {
  const drawn = Array.from({ length: 10_000 }, () => systemRandom.next());
  expect(drawn.every((value) => value >= 0 && value < 1)).toBe(true);
  const mean = drawn.reduce((sum, value) => sum + value, 0) / drawn.length;
  expect(mean).toBeGreaterThan(0.45);
  expect(mean).toBeLessThan(0.55);
});
