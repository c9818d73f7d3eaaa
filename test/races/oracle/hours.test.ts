import { describe, expect, it } from 'vitest';
import { openSpan, wallAt } from '../../../races/oracle/hours.ts';
import { epoch } from '../../../races/plan/plan.ts';
import { trialOf } from '../logs.ts';

const hours = { days: [1], from: 14 * 60 + 14, to: 14 * 60 + 16, zone: 'UTC' };

describe('hours', () => {
  it('are by our clock, as it was set', () => {
    const trial = trialOf({ steps: [{ at: 10, by: 5000 }] });
    expect([wallAt(trial, 9), wallAt(trial, 10)]).toEqual([epoch + 9, epoch + 5010]);
  });

  it.each([
    ['before', 0, { from: 40_000, to: 160_000 }],
    ['within', 100_000, { from: 40_000, to: 160_000 }],
    ['after', 160_000, undefined],
  ])('open and close on the minute, seen from %s', (_, at, span) => {
    expect(openSpan(hours, epoch + at, at)).toEqual(span);
  });

  it('are those of their zone, and of their days', () => {
    const away = { ...hours, from: hours.from + 345, to: hours.to + 345, zone: 'Asia/Kathmandu' };
    expect(openSpan(away, epoch, 0)).toEqual({ from: 40_000, to: 160_000 });
    expect(openSpan({ ...hours, days: [0, 2, 3] }, epoch, 0)).toBeUndefined();
    expect(() => openSpan({ ...hours, zone: 'UTC+1' }, epoch, 0)).toThrow('UTC+1');
  });
});
