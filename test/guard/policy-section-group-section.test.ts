import { expect, it } from 'vitest';
import { groupSection } from '../../src/guard/policy-section.ts';
import { issuesOf } from './issues.ts';

it.each([
  [{ count: '>= 2' }, { by: ['node', 'graph', 'query'], count: { operator: '>=', value: 2 } }],
  [
    { by: ['graph'], count: '> 5', oldest: '> 5m', youngest: '> 1m' },
    {
      by: ['graph'],
      count: { operator: '>', value: 5 },
      oldest: { operator: '>', value: 300_000 },
      youngest: { operator: '>', value: 60_000 },
    },
  ],
  [
    { by: ['query', 'query'], oldest: '> 5m' },
    { by: ['query'], oldest: { operator: '>', value: 300_000 } },
  ],
])('group section parses %j', (given, group) => {
  expect(groupSection.parse(given)).toEqual(group);
});

it.each([
  [{}, ''],
  [{ by: ['node'] }, ''],
  [{ by: [], count: '> 1' }, 'by'],
  [{ by: ['user'], count: '> 1' }, 'by.0'],
  [{ by: 'node', count: '> 1' }, 'by'],
  [{ count: '< 2' }, 'count'],
  [{ count: 2 }, 'count'],
  [{ oldest: '5m' }, 'oldest'],
  [{ youngest: '> 5' }, 'youngest'],
  [{ average: '> 5m' }, ''],
])('group section rejects %j', (given, path) => {
  const found = issuesOf(groupSection, given);
  expect([...new Set(found.map((complaint) => complaint.split(': ', 1)[0]))]).toEqual([path]);
});
