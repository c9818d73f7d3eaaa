import { expect, it } from 'vitest';
import { gravest, say, type Tone } from '../../../../src/app/api/landing/statement.ts';

it.each([
  [[], 'plain'],
  [['plain', 'good'], 'good'],
  [['good', 'warning', 'plain'], 'warning'],
  [['bad', 'warning', 'good'], 'bad'],
] as const)('of %j the gravest is %s', (tones: readonly Tone[], tone) => {
  expect(gravest(tones.map((one) => say(one, 'text')))).toBe(tone);
});

it('has a hint only where there is one', () => {
  expect(say('bad', 'text')).toEqual({ tone: 'bad', text: 'text' });
  expect(say('bad', 'text', 'do')).toEqual({ tone: 'bad', text: 'text', hint: 'do' });
});
