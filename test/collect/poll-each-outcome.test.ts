import { describe, expect, it } from 'vitest';
import { mapPollOutcome } from '../../src/collect/poll-each.ts';
import { failure } from '../../src/kernel/failure.ts';
import { ok } from '../../src/kernel/result.ts';

const error = failure('status', 'GET /x answered 500');
const double = (count: number): number => count * 2;

describe('mapPollOutcome', () => {
  it('maps a complete result', () => {
    expect(mapPollOutcome(ok(2), double)).toEqual(ok(4));
  });

  it('maps the partial result of a failure', () => {
    expect(mapPollOutcome({ ok: false, error, partial: 2 }, double)).toEqual({ ok: false, error, partial: 4 });
  });

  it('adds no partial result to a failure without one', () => {
    expect(mapPollOutcome({ ok: false, error }, double)).toEqual({ ok: false, error });
    expect(mapPollOutcome({ ok: false, error }, double)).not.toHaveProperty('partial');
  });
});
