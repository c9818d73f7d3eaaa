import { expect, it } from 'vitest';
import { pauseReasons } from '../../src/app/guard-schemas.ts';
import { pauseWords } from '../../src/app/pause-words.ts';

it('has words of its own for each reason', () => {
  const told = pauseReasons.map((reason) => pauseWords[reason]);
  expect(new Set(told).size).toBe(pauseReasons.length);
  for (const words of told) expect(words).toMatch(/^(?:an?|its?|there) .+[^.]$/);
});
