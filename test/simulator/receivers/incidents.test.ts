import { expect, it } from 'vitest';
import { openIncidents } from '../../../src/simulator/receivers/incidents.ts';
import type { ReceivedLetter } from '../../../src/simulator/receivers/letter.ts';
import { letter, night, told } from './letters.ts';

function open(...letters: readonly ReceivedLetter[]): readonly string[] {
  return openIncidents(letters, 'oncall', night).map(({ key }) => key);
}

const ends = (until: number) => letter([told('trigger', 'a', { until })]);

it('opens with a trigger, stays with another, and closes with a resolve', () => {
  expect(open(letter([told('trigger', 'a')]), letter([told('trigger', 'b'), told('trigger', 'a')]))).toEqual([
    'a',
    'b',
  ]);
  expect(open(letter([told('trigger', 'a'), told('trigger', 'b')]), letter([told('resolve', 'a')]))).toEqual(['b']);
});

it('swallows a resolve that came first, so that the trigger after it stays', () => {
  expect(open(letter([told('resolve', 'a')]), letter([told('trigger', 'a')]))).toEqual(['a']);
});

it('does not count what was not taken, what others got, and mere words', () => {
  const trigger = [told('trigger', 'a')];
  const lost = letter(trigger, { taken: false });
  expect(open(lost, letter(trigger, { receiver: 'other' }), letter([told('message', 'a')]))).toEqual([]);
});

it('counts what was taken though the answer was lost', () => {
  expect(open(letter([told('trigger', 'a')], { answer: 'lost' }))).toEqual(['a']);
});

it('takes every trigger without a key for another incident', () => {
  expect(open(letter([told('trigger', ''), told('trigger', '')]), letter([told('resolve', '')]))).toHaveLength(2);
});

it('closes by itself what has an end, unless it is told again', () => {
  expect(open(ends(night))).toEqual([]);
  expect(open(ends(night), ends(night + 1))).toEqual(['a']);
});
