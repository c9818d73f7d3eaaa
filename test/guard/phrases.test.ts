import { expect, it } from 'vitest';
import { alternatives, countPhrase, durationPhrase, sharePhrase } from '../../src/guard/phrases.ts';
import { bound, globs } from './match-inputs.ts';

it('phrases contain the operator and the unit', () => {
  expect(durationPhrase(bound('> 600000'))).toBe('more than 10m');
  expect(countPhrase(bound('>= 2'))).toBe('at least 2');
  expect(sharePhrase(bound('<= 0.975'))).toBe('at most 97.5 %');
  expect(alternatives(globs('a', '', 'c'))).toBe('a, empty or c');
});
