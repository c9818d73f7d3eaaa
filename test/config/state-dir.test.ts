import { expect, it } from 'vitest';
import { readStateDir } from '../../src/config/state-dir.ts';

it.each([
  ['state_dir: /s', '/s'],
  ['state_dir: ${DIR}/s\nlisten: [wrong]\nunknown: 1', '/v/s'],
  ['listen: :9916', undefined],
  ['state_dir: ""', undefined],
  ['state_dir: 7', undefined],
  ['{', undefined],
  ['', undefined],
])('of %j is %s', (text, expected) => {
  expect(readStateDir(text, 'graphwarden.yml', { DIR: '/v' })).toBe(expected);
});
