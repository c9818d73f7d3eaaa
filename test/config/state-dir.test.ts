import { expect, it } from 'vitest';
import { readStateDir } from '../../src/config/state-dir.ts';

it.each([
  ['state_dir: /s', '/s'],
  ['state_dir: ${DIR}/s\nlisten: [wrong]\nunknown: 1', '/v/s'],
  ['state_dir: /s\nclusters:\n  - { name: prod, nodes: [', '/s'],
  ['clusters:\n\t- name: prod\nstate_dir: "${DIR}"\nlisten: :9916\nlisten: :9917', '/v'],
  ['state_dir: /s\nstate_dir: /other\n{', undefined],
  ['listen: :9916', undefined],
  ['state_dir: ""', undefined],
  ['state_dir: 7', undefined],
  ['{', undefined],
  ['', undefined],
])('state directory › of %j is %s', (text, expected) => {
  expect(readStateDir(text, { DIR: '/v' })).toBe(expected);
});
