import { expect, it } from 'vitest';
import { isGraphName } from '../../src/graphdb/query-identity.ts';

it.each(['fraud', '_x', 'G1', 'a'.repeat(128)])('graph name › %s is a name', (name) => {
  expect(isGraphName(name)).toBe(true);
});

it.each(['', '1g', 'a-b', 'a b', '../etc', '{graph_name}', 'a/b', 'é', 'a\n', 'a'.repeat(129)])(
  'graph name › %j is not a graph name',
  (name) => {
    expect(isGraphName(name)).toBe(false);
  },
);
