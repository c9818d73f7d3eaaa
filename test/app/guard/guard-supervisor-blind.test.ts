import { expect, it } from 'vitest';
import { GuardHistory } from '../../../src/app/guard/guard-history.ts';

const now = { wall: 5000, mono: 5 };
const later = { wall: 9000, mono: 9 };

it('guard supervisor reports since when a node is not covered, and why its latest list is void', () => {
  const history = new GuardHistory('prod');
  history.record({ kind: 'skipped', scope: 'node', node: 'm1', reason: 'too_slow' }, now);
  expect(history.view(now).nodesWithoutData).toEqual([]);
  history.record({ kind: 'blind', node: 'm1', isBlind: true }, now);
  expect(history.view(now).nodesWithoutData).toEqual([{ node: 'm1', since: 5000, reason: 'too_slow' }]);
  history.record({ kind: 'skipped', scope: 'node', node: 'm1', reason: 'failed' }, later);
  history.record({ kind: 'skipped', scope: 'node', node: 'm2', reason: 'error' }, later);
  expect(history.view(later).nodesWithoutData).toEqual([{ node: 'm1', since: 5000, reason: 'failed' }]);
  history.record({ kind: 'blind', node: 'm1', isBlind: false }, later);
  expect(history.view(later).nodesWithoutData).toEqual([]);
});
