import { describe, expect, it } from 'vitest';
import { age } from '../../../src/guard/conditions/age.ts';
import { bound } from '../match-inputs.ts';

const ordinary = { age: 4000, grantedTimeout: 16_000 };

describe('the condition age', () => {
  it('begins to hold when the age passes the bound', () => {
    const timing = age.timing?.(bound('> 10000'));
    expect(timing?.({ least: 4000, most: 5000 }, undefined)).toMatchObject({ holds: false, from: 6000 });
    expect(timing?.({ least: 10_001, most: 10_002 }, undefined)).toMatchObject({ holds: true });
  });

  it('excludes an ordinary query that is younger', () => {
    expect(age.excludes(bound('> 4000'), ordinary)).toBe(true);
    expect(age.excludes(bound('>= 4000'), ordinary)).toBe(false);
  });

  it('limits age and timeout on the side of its bound', () => {
    expect(age.limits?.(bound('> 5'))).toEqual({ lower: { constant: 5, share: 0 } });
    expect(age.limits?.(bound('<= 5'))).toEqual({ upper: { constant: 5, share: 0 } });
  });

  it('has a phrase with its requirement', () => {
    expect(age.neverMatches).toBeUndefined();
  });
});
