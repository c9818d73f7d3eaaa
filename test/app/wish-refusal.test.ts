import { expect, it } from 'vitest';
import { wishRefusal } from '../../src/app/wish-refusal.ts';
import type { WishDoubt } from '../../src/guard/decision/wish.ts';

it.each<[WishDoubt, string, string]>([
  ['unknown_node', 'unknown_node', 'no such node'],
  ['not_listed', 'unknown_query', 'may have ended'],
  ['audit', 'not_stored', 'audit'],
  ['paused', 'refused', '--while-paused'],
  ['no_list', 'refused', 'ten seconds'],
  ['left_out', 'refused', 'odd'],
  ['under_way', 'refused', 'already'],
  ['not_covered', 'refused', 'not covered'],
  ['not_installed', 'refused', 'installed'],
  ['unknown_graph', 'refused', 'graph'],
  ['stopping', 'refused', 'about to end'],
  ['not_restored', 'refused', 'try again'],
  ['malformed_id', 'refused', 'id'],
  ['protected', 'refused', 'protected'],
])('%s is %s: %s', (doubt, kind, words) => {
  expect(wishRefusal(doubt)).toEqual({ kind, message: expect.stringContaining(words) });
});
