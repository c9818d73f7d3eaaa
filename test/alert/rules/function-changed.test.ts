import { describe, expect, it } from 'vitest';
import { functionChanged } from '../../../src/alert/rules/function-changed.ts';
import { firingIdentities, situationWith } from './rule-fixtures.ts';

function code(value: number, least: number | undefined, most: number | undefined) {
  return situationWith(
    { graphdb_function_code_digest: [[{ code: 'ExprFunctions' }, value]] },
    { recentMinimum: () => least, recentMaximum: () => most },
  );
}

describe('function_changed', () => {
  it.each([
    ['the content is the same for an hour', 7, 7, 7, []],
    ['it changed to a larger number', 9, 7, 7, ['ExprFunctions']],
    ['it changed to a smaller number', 5, 7, 7, ['ExprFunctions']],
    ['it changed half an hour ago', 9, 7, 9, ['ExprFunctions']],
    ['the file appeared', 9, 0, 0, ['ExprFunctions']],
    ['nothing is known of the last hour', 7, undefined, undefined, []],
  ])('where %s', (_, value, least, most, firing) => {
    expect(firingIdentities(functionChanged, code(value, least, most))).toEqual(firing);
  });
});
