import { expect, it } from 'vitest';
import { disksInWords } from '../../../../src/app/api/landing/resources.ts';
import { categories } from '../../../../src/collect/categories.ts';
import { latest, lines } from './landing-fixtures.ts';

const gib = 1024;

/** Free space in MB, by host and mount point. */
function said(free: Readonly<Record<string, Readonly<Record<string, number>>>>): readonly string[] {
  const rows = Object.entries(free).flatMap(([hostId, mounts]) =>
    Object.entries(mounts).map(([mountPoint, freeMb]) => ({
      hostId,
      service: '',
      collectedNs: '1',
      disk: { mountPoint, freeMb, usedMb: 1, path: `/x${mountPoint}`, pathName: 'Gstore' },
    })),
  );
  return lines(disksInWords(latest(categories, { '': [{ category: 'diskspace', rows }] })));
}

it.each([
  [
    'the least of all',
    { m1: { '/data': 90 * gib, '/': 50 * gib }, m2: { '/data': 60 * gib } },
    'plain: Least free on disk: 50.0 GiB, m1 (/)',
  ],
  ['little', { m1: { '/data': 9.9 * gib } }, 'warning: Least free on disk: 9.9 GiB, m1 (/data)'],
  ['too little', { m1: { '/data': 90 * gib }, m2: { '/data': 0 } }, 'bad: Least free on disk: 0.0 GiB, m2 (/data)'],
  ['a server that names no mount point', { m1: { '': 20 * gib } }, 'plain: Least free on disk: 20.0 GiB, m1'],
])('%s', (_, free, expected) => {
  expect(said(free)).toEqual([expected]);
});

it('says nothing where the server says nothing', () => {
  expect(said({})).toEqual([]);
  expect(lines(disksInWords(latest(categories, {}, { silent: [''] })))).toEqual([
    "plain: Not known: reading 'categories' fails",
  ]);
});
