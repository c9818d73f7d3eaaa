import { describe, expect, it } from 'vitest';
import { statements } from '../../src/collect/statements.ts';
import { ok } from '../../src/kernel/result.ts';
import { failed } from '../support/fake-graphdb.ts';
import { pollOnce } from '../support/poll-results.ts';

describe('statements', () => {
  it('shows each state of each statement', async () => {
    const { lines } = await pollOnce(statements, {
      statements: ok({ statements: [{ name: 'export', state: 'failed' }], fileProblems: 2 }),
    });
    expect(lines).toEqual([
      'graphdb_statement_state{statement="export",state="running"} 0',
      'graphdb_statement_state{statement="export",state="finished"} 0',
      'graphdb_statement_state{statement="export",state="failed"} 1',
      'graphdb_statement_state{statement="export",state="unknown"} 0',
      'graphdb_statements_file_problems 2',
    ]);
  });

  it('exposes no samples without configured statements', async () => {
    const none = ok({ statements: [], fileProblems: undefined });
    expect(await pollOnce(statements, { statements: none })).toMatchObject({ error: undefined, lines: [] });
  });

  it.each(['unsupported', 'auth'] as const)('returns the failure %s unchanged', async (reason) => {
    const { error, lines } = await pollOnce(statements, { statements: failed(reason) });
    expect([error?.reason, lines]).toEqual([reason, []]);
  });
});
