import { describe, expect, it } from 'vitest';
import { ageShare } from '../../../src/guard/conditions/age-share.ts';
import { bound } from '../match-inputs.ts';

const ordinary = { age: 4000, grantedTimeout: 16_000 };

describe('the condition ageShare', () => {
  it('begins to hold at the share of the timeout, and never holds without a timeout', () => {
    const timing = ageShare.timing?.(bound('> 0.5'));
    expect(timing?.({ least: 1000, most: 1000 }, 60_000)).toMatchObject({ holds: false, from: 29_000 });
    for (const none of [undefined, 0]) expect(timing?.({ least: 1000, most: 1000 }, none)).toBeUndefined();
  });

  it('excludes an ordinary query that used less', () => {
    expect(ageShare.excludes(bound('> 0.25'), ordinary)).toBe(true);
    expect(ageShare.excludes(bound('>= 0.25'), ordinary)).toBe(false);
  });

  it('limits age and timeout on the side of its bound', () => {
    expect(ageShare.limits?.(bound('> 0.5'))).toEqual({ lower: { constant: 0, share: 0.5 } });
    expect(ageShare.limits?.(bound('< 0.5'))).toEqual({ upper: { constant: 0, share: 0.5 } });
  });

  it('has a phrase with its requirement', () => {
    expect(ageShare.neverMatches).toContain('whose timeout');
  });
});
