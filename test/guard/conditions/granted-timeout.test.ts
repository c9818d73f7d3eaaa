import { describe, expect, it } from 'vitest';
import { grantedTimeout } from '../../../src/guard/conditions/granted-timeout.ts';
import type { Range } from '../../../src/kernel/range.ts';
import { bound, candidate, exactly } from '../match-inputs.ts';

const ordinary = { age: 4000, grantedTimeout: 16_000 };

function seen(timeout: Range): string | undefined {
  return grantedTimeout.seen(candidate({ timeout }), exactly(0));
}

describe('the condition grantedTimeout', () => {
  it('holds for a granted timeout that meets the bound, and is unknown for a query without one', () => {
    const test = grantedTimeout.test?.(bound('> 3600000'));
    expect(test?.(candidate({ timeout: 3_600_001 }))).toBe(true);
    expect(test?.(candidate({ timeout: 3_600_000 }))).toBe(false);
    expect(test?.(candidate({ timeout: -1 }))).toBeUndefined();
  });

  it.each([
    ['> 3600000', { least: 3_600_001, most: 7_200_000 }, true],
    ['> 3600000', { least: 3_600_000, most: 7_200_000 }, undefined],
    ['> 3600000', { least: 0, most: 3_600_000 }, false],
    ['<= 3600000', { least: 0, most: 3_600_000 }, true],
    ['<= 3600000', { least: 0, most: 3_600_001 }, undefined],
    ['< 3600000', { least: 3_600_000, most: 3_600_001 }, false],
  ] as const)('with the bound %s and a timeout in the range %j is certain: %s', (text, timeout, expected) => {
    expect(grantedTimeout.test?.(bound(text))(candidate({ timeout }))).toBe(expected);
  });

  it('shows the range of a timeout that is not known exactly', () => {
    expect(seen({ least: 1_800_000, most: 5_400_000 })).toBe('30m to 1h30m');
    expect(seen(exactly(5_400_000))).toBe('1h30m');
    expect(seen(exactly(-1))).toBeUndefined();
  });

  it('excludes an ordinary query with the default timeout', () => {
    expect(grantedTimeout.excludes(bound('> 16000'), ordinary)).toBe(true);
    expect(grantedTimeout.excludes(bound('< 16001'), ordinary)).toBe(false);
  });

  it('limits age and timeout on the side of its bound', () => {
    expect(grantedTimeout.limits?.(bound('> 5'))).toEqual({ minTimeout: 5 });
    expect(grantedTimeout.limits?.(bound('< 5'))).toEqual({ maxTimeout: 5 });
  });

  it('has a phrase with its requirement', () => {
    expect(grantedTimeout.neverMatches).toContain('whose timeout');
  });
});
