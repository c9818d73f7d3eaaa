import { expect, it } from 'vitest';
import { definedQueries } from '../../../src/simulator/world/defined-queries.ts';
import { installedQueries } from '../../../src/simulator/world/query.ts';
import { noon, worldOf } from '../test-world.ts';

it('defined queries › are the installed queries, all valid', () => {
  expect(definedQueries(false)).toEqual(installedQueries.map((name) => ({ name, isValid: true })));
});

it('defined queries › are one fewer after a change of the schema, and one is invalid', () => {
  const changed = definedQueries(true);
  expect(changed).toHaveLength(installedQueries.length - 1);
  expect(changed.filter(({ isValid }) => !isValid).map(({ name }) => name)).toEqual([installedQueries[0]]);
});

it('defined queries › follow the scenario', () => {
  const world = worldOf({ scenario: 'schema_change' });
  const count = (seconds: number): number => {
    world.advance(noon + seconds * 1000);
    return world.definedQueries().length;
  };
  const all = installedQueries.length;
  expect([count(10), count(40), count(640)]).toEqual([all, all - 1, all]);
});
