import { describe, expect, it } from 'vitest';
import { err, mapResult, ok } from '../../src/kernel/result.ts';

describe('results', () => {
  it('are ok or err', () => {
    expect(ok(1)).toEqual({ ok: true, value: 1 });
    expect(err('no')).toEqual({ ok: false, error: 'no' });
  });

  it('map only the value of ok', () => {
    const failed = err('no');
    expect(mapResult(ok(2), (value) => value * 2)).toEqual(ok(4));
    expect(mapResult(failed, (value: number) => value * 2)).toBe(failed);
  });
});
