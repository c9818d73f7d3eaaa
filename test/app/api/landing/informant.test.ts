import { describe, expect, it } from 'vitest';
import { informantInWords } from '../../../../src/app/api/landing/informant.ts';
import { categories } from '../../../../src/collect/categories.ts';
import type { InformantCategory } from '../../../../src/model/node.ts';
import { latest, lines, wall } from './landing-fixtures.ts';

const minute = 60_000;

/** Hosts by category, with how long ago each was measured. */
function said(ages: Partial<Record<InformantCategory, Readonly<Record<string, number>>>>): readonly string[] {
  const facts = Object.entries(ages).map(([category, hosts]) => ({
    category,
    rows: Object.entries(hosts).map(([hostId, age]) => ({ hostId, service: '', collectedNs: `${wall - age}000000` })),
  }));
  return lines(informantInWords(latest(categories, { '': facts })));
}

describe('the age of host data in words', () => {
  it('is that of the oldest', () => {
    expect(said({ 'cpu-memory': { m1: 20_000, m2: 55_000 }, diskspace: { m1: 4 * minute } })).toEqual([
      'good: Measured at most 4m before it was read',
    ]);
  });

  it('names the host that stands still, and goes on about the others', () => {
    expect(said({ 'cpu-memory': { m1: 20_000, m2: 12 * minute }, network: { m2: 13 * minute } })).toEqual([
      'bad: Frozen on m2: network of m2, measured 13m ago',
      'good: Measured at most 20s before it was read',
    ]);
  });

  it.each([
    ['cpu-memory', 299_999, 300_000],
    ['network', 299_999, 300_000],
    ['diskspace', 1_499_999, 1_500_000],
  ] as const)('of %s is fine for %i ms and no longer', (category, fine, frozen) => {
    expect(said({ [category]: { m1: fine } })[0]).toMatch(/^good/);
    expect(said({ [category]: { m1: frozen } })).toEqual([expect.stringMatching(/^bad: Frozen on m1/)]);
  });

  it('says nothing of requests, which a host may have none of', () => {
    expect(said({ qps: { m1: 900 * minute }, network: { m1: 1000 } })).toEqual([
      'good: Measured at most 1s before it was read',
    ]);
  });

  it('notices a clock that is ahead', () => {
    expect(said({ network: { m1: -240_000, m2: 1000 } })).toEqual([
      'good: Measured at most 1s before it was read',
      'warning: The clock of m1 is 4m ahead of ours',
    ]);
    expect(said({ network: { m1: -59_000 } })).toHaveLength(1);
  });

  it('misses what is not there', () => {
    expect(said({})).toEqual(['warning: The informant has measured nothing']);
    expect(lines(informantInWords(latest(categories, {}, { waiting: true })))).toEqual(['plain: Not read yet']);
  });

  it('is found in a hundred thousand rows', () => {
    const hosts = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`h${at}`, 900_000 + at]));
    expect(said({ network: hosts })[0]).toMatch(/and 99992 more: network of h99999,/);
  });
});
