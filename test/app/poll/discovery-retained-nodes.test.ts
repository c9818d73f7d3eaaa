import { expect, it } from 'vitest';
import { RetainedNodes } from '../../../src/app/poll/discovery.ts';

const day = 86_400_000;
const m1 = { name: 'm1', url: 'http://m1:14240' };
const m2 = { name: 'm2', url: 'http://m2:14240' };

it('a node that discovery no longer returns is monitored for a day', () => {
  const retained = new RetainedNodes({ kind: 'srv' });
  expect(retained.merge([m2, m1], 0)).toEqual([m1, m2]);
  expect(retained.merge([m1], 30_000)).toEqual([m1, m2]);
  expect(retained.merge([m1], day - 1)).toEqual([m1, m2]);
  expect(retained.merge([m1], day)).toEqual([m1]);
});

it('a node that returns at another address is the same node', () => {
  const retained = new RetainedNodes({ kind: 'srv' });
  retained.merge([m1, m2], 0);
  const moved = { ...m2, url: 'http://other:14240' };
  expect(retained.merge([m1, moved], day)).toEqual([m1, moved]);
});

it('an address is dropped immediately', () => {
  const retained = new RetainedNodes({ kind: 'dns' });
  retained.merge([m1, m2], 0);
  expect(retained.merge([m1], 1)).toEqual([m1]);
});
