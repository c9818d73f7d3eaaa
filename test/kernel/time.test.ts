import { describe, expect, it } from 'vitest';
import { inSeconds } from '../../src/kernel/time.ts';

describe('time', () => {
  it('is shown in seconds', () => {
    expect(inSeconds(1500)).toBe(1.5);
    expect(inSeconds(0)).toBe(0);
    expect(inSeconds(1_790_000_000_123)).toBe(1_790_000_000.123);
  });
});
