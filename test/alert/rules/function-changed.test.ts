import { describe, expect, it } from 'vitest';
import { functionChanged } from '../../../src/alert/rules/function-changed.ts';
import { firingIdentities, situationWith } from './rule-fixtures.ts';

/** The value, and the lowest and the highest one of the last hour. */
function code([value, least, most]: readonly [number, number?, number?]) {
  return situationWith(
    { graphdb_function_code_digest: [[{ code: 'ExprFunctions' }, value]] },
    { recentMinimum: () => least, recentMaximum: () => most },
  );
}

describe('function_changed', () => {
  it.each([
    ['the content is the same for an hour', [7, 7, 7], []],
    ['the digest changed to a larger number', [9, 7, 7], ['ExprFunctions']],
    ['the digest changed to a smaller number', [5, 7, 7], ['ExprFunctions']],
    ['the digest changed half an hour ago', [9, 7, 9], ['ExprFunctions']],
    ['the file appeared', [9, 0, 0], ['ExprFunctions']],
    ['the digest of an hour ago is unknown', [7], []],
  ] as const)('finds $2 if $0', (_, values, firing) => {
    expect(firingIdentities(functionChanged, code(values))).toEqual(firing);
  });
});
