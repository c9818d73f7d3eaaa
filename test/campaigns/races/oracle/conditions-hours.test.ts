import { describe, expect, it } from 'vitest';
import { activeSpan, wallClockAt } from '../../../../campaigns/races/oracle/conditions.ts';
import { epoch } from '../../../../campaigns/races/plan/plan.ts';
import { recordedRunOf } from '../logs.ts';

const hours = { days: [1], from: 14 * 60 + 14, to: 14 * 60 + 16, zone: 'UTC' };

describe('hours', () => {
  it('follow the clock of the guard, including its steps', () => {
    const trial = recordedRunOf({ steps: [{ at: 10, by: 5000 }] });
    expect([wallClockAt(trial, 9), wallClockAt(trial, 10)]).toEqual([epoch + 9, epoch + 5010]);
  });

  it.each([
    ['before', 0, { from: 40_000, to: 160_000 }],
    ['within', 100_000, { from: 40_000, to: 160_000 }],
    ['after', 160_000, undefined],
  ])('begin and end on the minute in %s', (_, at, span) => {
    expect(activeSpan(hours, epoch + at, at)).toEqual(span);
  });

  it('respect their time zone and days', () => {
    const away = { ...hours, from: hours.from + 345, to: hours.to + 345, zone: 'Asia/Kathmandu' };
    expect(activeSpan(away, epoch, 0)).toEqual({ from: 40_000, to: 160_000 });
    expect(activeSpan({ ...hours, days: [0, 2, 3] }, epoch, 0)).toBeUndefined();
    expect(() => activeSpan({ ...hours, zone: 'UTC+1' }, epoch, 0)).toThrow('UTC+1');
  });
});
