import { describe, expect, it } from 'vitest';
import { decisionKey, repeatDecisionKey } from '../../../src/guard/decision/decision.ts';

describe('decisionKey', () => {
  it('differs if any part differs', () => {
    const one = { node: 'n1', id: 'i', startTime: 's' };
    const keys = [
      one,
      { ...one, node: 'n2' },
      { ...one, id: 'j' },
      { ...one, startTime: 't' },
      { node: 'n1"', id: '"i', startTime: 's' },
    ];
    expect(new Set(keys.map(decisionKey)).size).toBe(5);
    expect(
      new Set([...keys.map(decisionKey), ...keys.map((key) => repeatDecisionKey(key, 7)), repeatDecisionKey(one, 8)])
        .size,
    ).toBe(11);
  });
});
