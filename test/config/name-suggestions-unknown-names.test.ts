import { expect, it } from 'vitest';
import { receiverList, unknownNameFinding } from '../../src/config/name-suggestions.ts';

const path = ['alerts', 'routes', 0, 'fallback'];
const list = receiverList(['oncall', 'chat']);

it.each([['oncall'], ['chat'], [undefined]])('has nothing against %s', (name) => {
  expect(unknownNameFinding(path, name, list)).toEqual([]);
});

it('points at the one that is probably meant, and repeats no name', () => {
  expect(unknownNameFinding(path, 'chta', list)).toEqual([
    {
      path,
      message: 'is not the name of a receiver in alerts.receivers',
      hint: 'did you mean the name of receivers[1]?',
    },
  ]);
});

it.each([['pager'], ['']])('there is no suggestion for %j', (name) => {
  expect(unknownNameFinding(path, name, list)).toEqual([
    { path, message: 'is not the name of a receiver in alerts.receivers' },
  ]);
});
