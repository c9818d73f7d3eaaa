import { describe, expect, it } from 'vitest';
import {
  closed,
  closedBreakers,
  countedTries,
  hasFallen,
  opened,
  policyBreaker,
  pressuresOf,
  queryBreaker,
  readingKey,
  relieved,
} from '../../../src/guard/decision/breakers.ts';
import type { Pressure } from '../../../src/guard/gates.ts';
import { bound } from '../scenes.ts';
import { attemptAt } from './decisions.ts';

const settings = { sameQuery: { aborts: 3, within: 100 }, noRelief: { aborts: 2 } };
const target = { graph: 'fraud', query: 'ring_scan' };
const reading: Pressure = { node: 'n1', source: 'queue_depth', value: 30, at: 200, interval: 10 };

describe('the breaker of a query', () => {
  const attempts = [attemptAt(0), attemptAt(10), attemptAt(20)];

  it('counts attempts within a period, but one', () => {
    expect(countedTries(closedBreakers, attempts, { target, since: -1 })).toBe(3);
    expect(countedTries(closedBreakers, attempts, { target, since: 5 })).toBe(2);
    expect(countedTries(closedBreakers, attempts, { target, key: '20 ', since: -1 })).toBe(2);
  });

  it('begins anew when an operator closes it', () => {
    const breaker = queryBreaker(target);
    const open = opened(closedBreakers, breaker);
    expect(open.open).toContain(breaker);
    const after = closed(open, breaker, 10);
    expect(after.open.size).toBe(0);
    expect(countedTries(after, attempts, { target, since: -1 })).toBe(1);
  });
});

describe('the breaker of a policy', () => {
  it('opens after so many aborts in a row without relief', () => {
    const once = relieved(closedBreakers, 'p', { isRelieved: false, settings });
    expect(once.open.size).toBe(0);
    expect(relieved(once, 'q', { isRelieved: false, settings }).open.size).toBe(0);
    expect([...relieved(once, 'p', { isRelieved: false, settings }).open]).toEqual([policyBreaker('p')]);
  });

  it('counts anew after relief, and after a reset of its own', () => {
    const once = relieved(closedBreakers, 'p', { isRelieved: false, settings });
    const relief = relieved(once, 'p', { isRelieved: true, settings });
    expect(relieved(relief, 'p', { isRelieved: false, settings }).open.size).toBe(0);
    const twice = relieved(once, 'p', { isRelieved: false, settings });
    const reset = closed(twice, policyBreaker('p'), 0);
    expect([...reset.reliefless]).toEqual([]);
    const others = relieved(twice, 'q', { isRelieved: false, settings });
    expect([...closed(others, policyBreaker('p'), 0).reliefless]).toEqual([['q', 1]]);
    expect(relieved(reset, 'p', { isRelieved: false, settings }).open.size).toBe(0);
  });
});

describe('relief', () => {
  const awaited = { key: 'k', policy: 'p', node: 'n1', before: { queue_depth: 30 }, outcomeAt: 180 };
  it.each([
    ['as high as before', {}, false],
    ['lower', { value: 29 }, true],
    ['higher', { value: 31 }, false],
    ['of another node', { node: 'n2' }, undefined],
    ['of another source', { source: 'node_cpu' }, undefined],
    ['failed', { value: undefined }, undefined],
    ['one refresh after the outcome', { at: 190, value: 1 }, true],
    ['too early to tell', { at: 189, value: 1 }, undefined],
  ] as const)('a reading that is %s', (_, changes: Partial<Pressure>, fallen) => {
    expect(hasFallen(awaited, { ...reading, ...changes })).toBe(fallen);
  });

  it('is not judged before the outcome', () => {
    expect(hasFallen({ ...awaited, outcomeAt: undefined }, reading)).toBeUndefined();
  });

  it('goes by the latest readings of the gate', () => {
    const clause = { source: 'queue_depth', bound: bound('> 20'), hold: 0 } as const;
    const readings = new Map([[readingKey('n1', 'queue_depth'), reading]]);
    expect(pressuresOf([clause, clause, { ...clause, source: 'node_cpu' }], 'n1', readings)).toEqual({
      queue_depth: 30,
    });
    expect(pressuresOf([clause], 'n2', readings)).toEqual({});
  });
});
