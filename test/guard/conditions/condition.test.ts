import { expect, it } from 'vitest';
import { boundOn } from '../../../src/guard/conditions/condition.ts';
import { bound } from '../match-inputs.ts';

it.each([
  ['> 5', '>', 5],
  ['>= 5', '>', 5],
  ['< 5', '>', undefined],
  ['<= 5', '<', 5],
  ['> 5', '<', undefined],
] as const)('boundOn: %s on the side %s is %s', (text, side, value) => {
  expect(boundOn(bound(text), side)).toBe(value);
});
