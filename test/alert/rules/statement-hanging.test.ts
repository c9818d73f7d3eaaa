import { describe, expect, it } from 'vitest';
import { statementHanging } from '../../../src/alert/rules/statement-hanging.ts';
import { statementStates } from '../../../src/model/statement.ts';
import { firingIdentities, situationWith } from './rule-fixtures.ts';

function statement(state: string) {
  const samples = statementStates.map((one) => [{ statement: 'export', state: one }, one === state ? 1 : 0] as const);
  return situationWith({ graphdb_statement_state: samples });
}

describe('statement_hanging', () => {
  it.each(statementStates)('follows the state: %s', (state) => {
    expect(firingIdentities(statementHanging, statement(state))).toEqual(state === 'running' ? ['export'] : []);
  });

  it('has no fresh facts without data', () => {
    expect(firingIdentities(statementHanging, situationWith({}))).toEqual([]);
  });
});
