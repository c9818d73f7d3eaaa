import { describe, expect, it } from 'vitest';
import { remaining } from '../../../src/guard/conditions/remaining.ts';
import { bound } from '../match-inputs.ts';

const ordinary = { age: 4000, grantedTimeout: 16_000 };

describe('the condition remaining', () => {
  it('ceases to hold when too little time remains, and never holds without a timeout', () => {
    const timing = remaining.timing?.(bound('> 30000'));
    expect(timing?.({ least: 1000, most: 2000 }, 60_000)).toMatchObject({ holds: true, until: 28_000 });
    expect(timing?.({ least: 1000, most: 2000 }, undefined)).toBeUndefined();
  });

  it('excludes an ordinary query with more time left', () => {
    expect(remaining.excludes(bound('< 12000'), ordinary)).toBe(true);
    expect(remaining.excludes(bound('<= 12000'), ordinary)).toBe(false);
  });

  it('limits age and timeout on the side of its bound', () => {
    expect(remaining.limits?.(bound('> 5'))).toEqual({ upper: { constant: -5, share: 1 } });
    expect(remaining.limits?.(bound('< 5'))).toEqual({ lower: { constant: -5, share: 1 } });
  });

  it('has a phrase with its requirement', () => {
    expect(remaining.neverMatches).toContain('whose timeout');
  });
});
