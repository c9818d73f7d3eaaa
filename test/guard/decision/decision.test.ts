import { describe, expect, it } from 'vitest';
import { decisionKey, furtherKey } from '../../../src/guard/decision/decision.ts';

describe('decisionKey', () => {
  it('tells apart what differs in anything', () => {
    const one = { node: 'n1', id: 'i', startTime: 's' };
    const keys = [
      one,
      { ...one, node: 'n2' },
      { ...one, id: 'j' },
      { ...one, startTime: 't' },
      { node: 'n1"', id: '"i', startTime: 's' },
    ];
    expect(new Set(keys.map(decisionKey)).size).toBe(5);
    expect(new Set([...keys.map(decisionKey), ...keys.map((key) => furtherKey(key, 7)), furtherKey(one, 8)]).size).toBe(
      11,
    );
  });
});
