import { expect, it } from 'vitest';
import { GuardHistory } from '../../src/app/guard-history.ts';

const now = { wall: 5000, mono: 5 };
const later = { wall: 9000, mono: 9 };

it('of a blind node it is told since when, and why the latest list was void', () => {
  const history = new GuardHistory('prod');
  history.note({ kind: 'void', scope: 'node', node: 'm1', reason: 'too_slow' }, now);
  expect(history.view(now).blind).toEqual([]);
  history.note({ kind: 'blind', node: 'm1', isBlind: true }, now);
  expect(history.view(now).blind).toEqual([{ node: 'm1', since: 5000, reason: 'too_slow' }]);
  history.note({ kind: 'void', scope: 'node', node: 'm1', reason: 'failed' }, later);
  history.note({ kind: 'void', scope: 'node', node: 'm2', reason: 'error' }, later);
  expect(history.view(later).blind).toEqual([{ node: 'm1', since: 5000, reason: 'failed' }]);
  history.note({ kind: 'blind', node: 'm1', isBlind: false }, later);
  expect(history.view(later).blind).toEqual([]);
});
