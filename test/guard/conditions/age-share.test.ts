import { describe, expect, it } from 'vitest';
import { ageShare } from '../../../src/guard/conditions/age-share.ts';
import type { Range } from '../../../src/kernel/range.ts';
import { bound, candidate, exactly } from '../match-inputs.ts';

const ordinary = { age: 4000, grantedTimeout: 16_000 };

function seen(timeout: Range): string | undefined {
  return ageShare.seen(candidate({ timeout }), exactly(60_000));
}

describe('the condition ageShare', () => {
  it('begins to hold at the share of the timeout, and never holds without a timeout', () => {
    const timing = ageShare.timing?.(bound('> 0.5'));
    expect(timing?.({ least: 1000, most: 1000 }, exactly(60_000))).toMatchObject({ holds: false, from: 29_000 });
    for (const none of [undefined, exactly(0)]) expect(timing?.({ least: 1000, most: 1000 }, none)).toBeUndefined();
  });

  it('holds if it is certain for each possible timeout', () => {
    const age = exactly(60_000);
    const holds = (text: string, least: number, most: number) =>
      ageShare.timing?.(bound(text))(age, { least, most })?.holds;
    expect(holds('> 0.5', 60_000, 119_999)).toBe(true);
    expect(holds('> 0.5', 60_000, 120_000)).toBe(false);
    expect(holds('< 0.5', 120_001, 240_000)).toBe(true);
    expect(holds('< 0.5', 120_000, 240_000)).toBe(false);
  });

  it('never holds below a share if the timeout may be zero, even for a query that just started', () => {
    for (const text of ['< 100', '<= 0'])
      expect(ageShare.timing?.(bound(text))(exactly(0), { least: 0, most: 240_000 })).toBeUndefined();
    expect(ageShare.timing?.(bound('> 0.5'))(exactly(120_001), { least: 0, most: 240_000 })?.holds).toBe(true);
  });

  it('shows the range of the share if the timeout is not known exactly', () => {
    expect(seen(exactly(120_000))).toBe('0.50');
    expect(seen({ least: 80_000, most: 120_000 })).toBe('0.50 to 0.75');
    expect(seen({ least: 0, most: 120_000 })).toBe('0.50 or more');
    for (const none of [-1, 0]) expect(seen(exactly(none))).toBeUndefined();
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
