import { expect, it } from 'vitest';
import { receiverList, unknownNameFinding } from '../../src/config/name-suggestions.ts';

const path = ['alerts', 'routes', 0, 'fallback'];
const list = receiverList(['oncall', 'chat']);

it.each([['oncall'], ['chat'], [undefined]])('no finding for the known name %s', (name) => {
  expect(unknownNameFinding(path, name, list)).toEqual([]);
});

it('a similar name is suggested, without the unknown name', () => {
  expect(unknownNameFinding(path, 'chta', list)).toEqual([
    {
      path,
      message: 'is not the name of a receiver in alerts.receivers',
      hint: 'did you mean the name of receivers[1]?',
    },
  ]);
});

it.each([['pager'], ['']])('no suggestion for %j', (name) => {
  expect(unknownNameFinding(path, name, list)).toEqual([
    { path, message: 'is not the name of a receiver in alerts.receivers' },
  ]);
});
