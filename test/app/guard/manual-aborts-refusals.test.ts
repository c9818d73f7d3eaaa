import { expect, it } from 'vitest';
import { manualAbortRefusal } from '../../../src/app/guard/manual-aborts.ts';
import type { ManualSkipReason } from '../../../src/guard/decision/decision.ts';

it.each<[ManualSkipReason, string, string]>([
  ['unknown_node', 'unknown_node', 'does not have this node'],
  ['not_listed', 'unknown_query', 'may have ended'],
  ['audit', 'not_stored', 'audit'],
  ['paused', 'refused', '--while-paused'],
  ['no_list', 'refused', 'ten seconds'],
  ['malformed_entry', 'refused', 'malformed'],
  ['in_progress', 'refused', 'already'],
  ['not_covered', 'refused', 'does not cover'],
  ['not_installed', 'refused', 'installed'],
  ['unknown_graph', 'refused', 'known graph'],
  ['stopping', 'refused', 'moved to another replica'],
  ['not_restored', 'refused', 'try again'],
  ['malformed_id', 'refused', 'ID'],
  ['protected', 'refused', 'protected'],
])('manual abort refusal › %s is %s: %s', (skipReason, kind, words) => {
  expect(manualAbortRefusal(skipReason)).toEqual({ kind, message: expect.stringContaining(words) });
});
