import { describe, expect, it } from 'vitest';
import { mapRead } from '../../src/collect/map-read.ts';
import { failure } from '../../src/kernel/failure.ts';
import { ok } from '../../src/kernel/result.ts';

const error = failure('status', 'GET /x answered 500');
const double = (count: number): number => count * 2;

describe('mapRead', () => {
  it('changes the whole', () => {
    expect(mapRead(ok(2), double)).toEqual(ok(4));
  });

  it('changes the part of a failed read', () => {
    expect(mapRead({ ok: false, error, partial: 2 }, double)).toEqual({ ok: false, error, partial: 4 });
  });

  it('invents no part', () => {
    expect(mapRead({ ok: false, error }, double)).toEqual({ ok: false, error });
    expect(mapRead({ ok: false, error }, double)).not.toHaveProperty('partial');
  });
});
