import { describe, expect, it } from 'vitest';
import {
  countRecentAttempts,
  hasPressureFallen,
  initialCircuitBreakers,
  latestPressures,
  openBreaker,
  policyBreakerKey,
  pressureKey,
  queryBreakerKey,
  recordRelief,
  resetBreaker,
} from '../../../src/guard/decision/circuit-breakers.ts';
import type { Pressure } from '../../../src/guard/gates.ts';
import { bound } from '../match-inputs.ts';
import { attemptAt } from './decisions.ts';

const settings = { sameQuery: { aborts: 3, within: 100 }, noRelief: { aborts: 2 } };
const target = { graph: 'fraud', query: 'ring_scan' };
const reading: Pressure = { node: 'n1', source: 'queue_depth', value: 30, at: 210, collectedAt: 200, interval: 10 };

describe('same_query circuit breaker', () => {
  const attempts = [attemptAt(0), attemptAt(10), attemptAt(20)];

  it('counts the attempts within the period, except one', () => {
    expect(countRecentAttempts(initialCircuitBreakers, attempts, { target, since: -1 })).toBe(3);
    expect(countRecentAttempts(initialCircuitBreakers, attempts, { target, since: 5 })).toBe(2);
    expect(countRecentAttempts(initialCircuitBreakers, attempts, { target, key: '20 ', since: -1 })).toBe(2);
  });

  it('counts from zero after an operator reset', () => {
    const breaker = queryBreakerKey(target);
    const open = openBreaker(initialCircuitBreakers, breaker);
    expect(open.open).toContain(breaker);
    const after = resetBreaker(open, breaker, 10);
    expect(after.open.size).toBe(0);
    expect(countRecentAttempts(after, attempts, { target, since: -1 })).toBe(1);
  });
});

describe('no_relief circuit breaker', () => {
  it('opens after the configured number of consecutive aborts without relief', () => {
    const once = recordRelief(initialCircuitBreakers, 'p', { isRelieved: false, settings });
    expect(once.open.size).toBe(0);
    expect(recordRelief(once, 'q', { isRelieved: false, settings }).open.size).toBe(0);
    expect([...recordRelief(once, 'p', { isRelieved: false, settings }).open]).toEqual([policyBreakerKey('p')]);
  });

  it('counts from zero after relief and after its own reset', () => {
    const once = recordRelief(initialCircuitBreakers, 'p', { isRelieved: false, settings });
    const relief = recordRelief(once, 'p', { isRelieved: true, settings });
    expect(recordRelief(relief, 'p', { isRelieved: false, settings }).open.size).toBe(0);
    const twice = recordRelief(once, 'p', { isRelieved: false, settings });
    const reset = resetBreaker(twice, policyBreakerKey('p'), 0);
    expect([...reset.abortsWithoutRelief]).toEqual([]);
    const others = recordRelief(twice, 'q', { isRelieved: false, settings });
    expect([...resetBreaker(others, policyBreakerKey('p'), 0).abortsWithoutRelief]).toEqual([['q', 1]]);
    expect(recordRelief(reset, 'p', { isRelieved: false, settings }).open.size).toBe(0);
  });
});

describe('relief', () => {
  const awaited = { key: 'k', policy: 'p', node: 'n1', before: { queue_depth: 30 }, outcomeAt: 180 };
  it.each([
    ['unchanged', {}, false],
    ['lower', { value: 29 }, true],
    ['higher', { value: 31 }, false],
    ['of another node', { node: 'n2' }, undefined],
    ['of another source', { source: 'node_cpu' }, undefined],
    ['failed', { value: undefined }, undefined],
    ['one interval after the outcome', { collectedAt: 190, value: 1 }, true],
    ['too early to decide', { collectedAt: 189, value: 1 }, undefined],
  ] as const)('of a sample that is %s', (_, changes: Partial<Pressure>, fallen) => {
    expect(hasPressureFallen(awaited, { ...reading, ...changes })).toBe(fallen);
  });

  it('is not evaluated before the outcome', () => {
    expect(hasPressureFallen({ ...awaited, outcomeAt: undefined }, reading)).toBeUndefined();
  });

  it('uses the latest samples of the gate', () => {
    const clause = { source: 'queue_depth', bound: bound('> 20'), for: 0 } as const;
    const readings = new Map([[pressureKey('n1', 'queue_depth'), reading]]);
    expect(latestPressures([clause, clause, { ...clause, source: 'node_cpu' }], 'n1', readings)).toEqual({
      queue_depth: 30,
    });
    expect(latestPressures([clause], 'n2', readings)).toEqual({});
  });
});
