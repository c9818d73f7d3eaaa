import { describe, expect, it } from 'vitest';
import { grantedTimeout } from '../../../src/guard/conditions/granted-timeout.ts';
import { bound, candidate } from '../match-inputs.ts';

const ordinary = { age: 4000, grantedTimeout: 16_000 };

describe('the condition grantedTimeout', () => {
  it('holds for a granted timeout that meets the bound, and is unknown for a query without one', () => {
    const test = grantedTimeout.test?.(bound('> 3600000'));
    expect(test?.(candidate({ timeout: 3_600_001 }))).toBe(true);
    expect(test?.(candidate({ timeout: 3_600_000 }))).toBe(false);
    expect(test?.(candidate({ timeout: -1 }))).toBeUndefined();
  });

  it('excludes an ordinary query with the default timeout', () => {
    expect(grantedTimeout.excludes(bound('> 16000'), ordinary)).toBe(true);
    expect(grantedTimeout.excludes(bound('< 16001'), ordinary)).toBe(false);
  });

  it('limits age and timeout on the side of its bound', () => {
    expect(grantedTimeout.limits?.(bound('> 5'))).toEqual({ leastTimeout: 5 });
    expect(grantedTimeout.limits?.(bound('< 5'))).toEqual({ mostTimeout: 5 });
  });

  it('has a phrase with its requirement', () => {
    expect(grantedTimeout.neverMatches).toContain('whose timeout');
  });
});
