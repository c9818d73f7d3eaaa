import { expect, it } from 'vitest';
import { tokenCleanupFailed } from '../../../src/alert/rules/token-cleanup-failed.ts';
import { findings, situationWith } from './rule-fixtures.ts';

it.each([
  [0, 1],
  [1, 0],
])('token_cleanup_failed › the success %d has %d findings', (success, count) => {
  const situation = situationWith({ graphdb_token_cleanup_success: [[{}, success]] });
  expect(findings(tokenCleanupFailed, situation)).toHaveLength(count);
});
