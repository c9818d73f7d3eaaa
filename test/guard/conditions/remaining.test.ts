import { describe, expect, it } from 'vitest';
import { remaining } from '../../../src/guard/conditions/remaining.ts';
import { bound, candidate, exactly } from '../match-inputs.ts';

const ordinary = { age: 4000, grantedTimeout: 16_000 };

describe('the condition remaining', () => {
  it('ceases to hold when too little time remains, and never holds without a timeout', () => {
    const timing = remaining.timing?.(bound('> 30000'));
    expect(timing?.({ least: 1000, most: 2000 }, exactly(60_000))).toMatchObject({ holds: true, until: 28_000 });
    expect(timing?.({ least: 1000, most: 2000 }, undefined)).toBeUndefined();
  });

  it('holds if it is certain for each possible timeout, and shows the range', () => {
    const age = exactly(60_000);
    const timeout = { least: 90_000, most: 3_690_000 };
    const holds = (text: string) => remaining.timing?.(bound(text))(age, timeout)?.holds;
    expect(holds('> 29999')).toBe(true);
    expect(holds('> 30000')).toBe(false);
    expect(holds('< 3630001')).toBe(true);
    expect(holds('< 3630000')).toBe(false);
    expect(remaining.seen(candidate({ timeout }), age)).toBe('30s to 1h30s');
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
