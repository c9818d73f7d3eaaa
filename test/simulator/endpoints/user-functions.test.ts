import { describe, expect, it } from 'vitest';
import { functionFile, libraryFunctions, tuples } from '../../../src/simulator/endpoints/user-functions.ts';
import { callOn, jsonOf, noon, worldOf } from '../test-world.ts';

const calm = worldOf();
const changed = worldOf({ scenario: 'schema_change' });
changed.advance(noon + 60_000);

function fileOf(file: string, world = calm): Promise<unknown> {
  return jsonOf(functionFile(callOn(world, { path: { file } })));
}

describe('the files with functions', () => {
  it('have another content in one file after a change', async () => {
    for (const [file, isSame] of [
      ['ExprFunctions', false],
      ['ExprUtil', true],
    ] as const) {
      const [before, after] = [await fileOf(file), await fileOf(file, changed)];
      expect(before).toMatchObject({ error: false, results: expect.stringContaining(file) });
      expect(JSON.stringify(before) === JSON.stringify(after)).toBe(isSame);
    }
  });

  it('do not include a file that was never uploaded', async () => {
    expect(await fileOf('TokenBank')).toMatchObject({ error: true });
  });
});

it('the library lists all functions for a regular expression', async () => {
  const request = (query: string): Promise<unknown> =>
    jsonOf(libraryFunctions(callOn(calm, { query: new URLSearchParams(query) })));
  expect(await request('isRegularExpression=true')).toMatchObject({ results: [{ name: 'algo.pagerank' }, {}, {}] });
  expect(await request('')).toMatchObject({ error: true });
});

it('the tuples have fields', async () => {
  expect(await jsonOf(tuples(callOn(calm)))).toMatchObject({
    results: [{ name: 'Transfer', fields: [{ fieldName: 'amount' }, { fieldName: 'at' }] }],
  });
});
