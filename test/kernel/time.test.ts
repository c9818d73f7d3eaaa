import { describe, expect, it } from 'vitest';
import { toSeconds } from '../../src/kernel/time.ts';

describe('time', () => {
  it('is shown in seconds', () => {
    expect(toSeconds(1500)).toBe(1.5);
    expect(toSeconds(0)).toBe(0);
    expect(toSeconds(1_790_000_000_123)).toBe(1_790_000_000.123);
  });
});
