import { expect, it } from 'vitest';
import { linesOf } from '../../../src/simulator/receivers/lines.ts';
import { letter, told } from './letters.ts';

it('says who was told what, a line for each incident', () => {
  const both = letter([told('trigger', 'a', { episode: '3' }), told('resolve', 'b', { summary: '' })]);
  expect(linesOf(both)).toEqual(['04:05:06Z  oncall  trigger  about a (episode 3)', '04:05:06Z  oncall  resolve  b']);
});

it.each([
  [{ taken: false, status: 503 }, '  → 503'],
  [{ taken: true, status: 400 }, '  → 400, taken in part'],
  [{ taken: true, answer: 'lost' }, '  → taken, and no answer'],
  [{ taken: false, answer: 'lost' }, '  → not taken, and no answer'],
] as const)('says how it was answered: %j', (more, end) => {
  expect(linesOf(letter([told('trigger', 'a')], more))).toEqual([`04:05:06Z  oncall  trigger  about a${end}`]);
});

it('says when it understood nothing', () => {
  expect(linesOf(letter([], { taken: false, status: 400 }))).toEqual(['04:05:06Z  oncall  unreadable  → 400']);
  expect(linesOf(letter([]))).toEqual(['04:05:06Z  oncall  nothing']);
});

it('does not say an episode twice', () => {
  const [line] = linesOf(letter([told('message', '', { summary: 'm1 is gone (a1-3)', episode: 'a1-3' })]));
  expect(line).toBe('04:05:06Z  oncall  message  m1 is gone (a1-3)');
});

it('cuts what is long, and lets nothing control a terminal', () => {
  const [line] = linesOf(letter([told('message', '', { summary: `\u001b[31m${'x'.repeat(500)}\nmore` })]));
  expect(line).toMatch(/^04:05:06Z {2}oncall {2}message {3}\[31mx+…$/);
  expect(line?.length).toBeLessThan(200);
});
