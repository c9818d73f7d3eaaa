import { describe, expect, it } from 'vitest';
import { nextOpenings } from '../../src/kernel/weekly-openings.ts';

const daily = [0, 1, 2, 3, 4, 5, 6];

function minutes(text: string): number {
  return Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
}

function hours(from: string, to: string, zone = 'Europe/Berlin', days: readonly number[] = daily) {
  return { days, from: minutes(from), to: minutes(to), zone };
}

function utc(at: number): string {
  return new Date(at).toISOString().replace(':00.000Z', 'Z');
}

function openings(given: ReturnType<typeof hours>, at: string, count: number) {
  return nextOpenings(given, Date.parse(at), count).map(({ start, end }) => `${utc(start)}/${utc(end)}`);
}

describe('weekly openings', () => {
  it('include the one that is open', () => {
    expect(openings(hours('23:00', '02:00', 'UTC', [6]), '2026-06-07T01:00Z', 2)).toEqual([
      '2026-06-06T23:00Z/2026-06-07T02:00Z',
      '2026-06-13T23:00Z/2026-06-14T02:00Z',
    ]);
  });

  it('follow one another without a gap if they last a whole day', () => {
    expect(openings(hours('00:00', '24:00', 'UTC'), '2026-06-07T00:00Z', 2)).toEqual([
      '2026-06-07T00:00Z/2026-06-08T00:00Z',
      '2026-06-08T00:00Z/2026-06-09T00:00Z',
    ]);
  });

  // Clocks skip 02:00 to 03:00 on 2026-03-29 in Berlin, at 01:00 UTC.
  it.each([
    ['02:15', '02:45', '2026-03-29T01:00Z/2026-03-29T01:45Z'],
    ['02:00', '03:00', '2026-03-29T01:00Z/2026-03-29T02:00Z'],
    ['01:30', '02:30', '2026-03-29T00:30Z/2026-03-29T01:30Z'],
    ['02:30', '03:30', '2026-03-29T01:00Z/2026-03-29T01:30Z'],
    ['02:30', '02:30', '2026-03-29T01:00Z/2026-03-30T00:30Z'],
    ['03:00', '04:00', '2026-03-29T01:00Z/2026-03-29T02:00Z'],
    ['22:00', '02:30', '2026-03-28T21:00Z/2026-03-29T01:30Z'],
  ])('from %s to %s over a skipped hour are %s', (from, to, expected) => {
    expect(openings(hours(from, to), '2026-03-28T21:30Z', 3)).toContain(expected);
  });
});
