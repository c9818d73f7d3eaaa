import { describe, expect, it } from 'vitest';
import { err, map, ok } from '../../src/kernel/result.ts';

describe('results', () => {
  it('are good or bad, and say which', () => {
    expect(ok(1)).toEqual({ ok: true, value: 1 });
    expect(err('no')).toEqual({ ok: false, error: 'no' });
  });

  it('change the good value alone', () => {
    const trouble = err('no');
    expect(map(ok(2), (value) => value * 2)).toEqual(ok(4));
    expect(map(trouble, (value: number) => value * 2)).toBe(trouble);
  });
});
