import { expect, it } from 'vitest';
import { gateSection } from '../../src/guard/policy-section.ts';
import { issuesOf } from './issues.ts';

it('gate section accepts every source, with a duration', () => {
  const given = {
    any: [
      { node_memory: '> 0.85', for: '3m' },
      { node_cpu: '>= 0.95', for: '1m' },
      { queue_depth: '> 20', for: '30s' },
      { queue_oldest: '> 2m', for: '10s' },
    ],
  };
  expect(gateSection.parse(given)).toEqual({
    needs: 'any',
    clauses: [
      { source: 'node_memory', bound: { operator: '>', value: 0.85 }, for: 180_000 },
      { source: 'node_cpu', bound: { operator: '>=', value: 0.95 }, for: 60_000 },
      { source: 'queue_depth', bound: { operator: '>', value: 20 }, for: 30_000 },
      { source: 'queue_oldest', bound: { operator: '>', value: 120_000 }, for: 10_000 },
    ],
  });
});

it('gate section can require all clauses', () => {
  expect(gateSection.parse({ all: [{ node_cpu: '> 0.9', for: '1m' }] })).toEqual({
    needs: 'all',
    clauses: [{ source: 'node_cpu', bound: { operator: '>', value: 0.9 }, for: 60_000 }],
  });
});

const cpu = { node_cpu: '> 0.9', for: '1m' };

it.each([
  [{}, ''],
  [{ any: [cpu], all: [cpu] }, ''],
  [{ any: [] }, 'any'],
  [{ any: cpu }, 'any'],
  [{ any: [cpu, { for: '1m' }] }, 'any.1'],
  [{ any: [{ ...cpu, queue_depth: '> 1' }] }, 'any.0'],
  [{ any: [{ node_cpu: '> 0.9' }] }, 'any.0.for'],
  [{ any: [{ node_cpu: '> 0.9', for: '0s' }] }, 'any.0.for'],
  [{ any: [{ node_cpu: '> 90', for: '1m' }] }, 'any.0.node_cpu'],
  [{ any: [{ node_memory: '< 0.5', for: '1m' }] }, 'any.0.node_memory'],
  [{ any: [{ queue_depth: '20', for: '1m' }] }, 'any.0.queue_depth'],
  [{ any: [{ queue_oldest: '> 20', for: '1m' }] }, 'any.0.queue_oldest'],
  [{ any: [{ node_swap: '> 0.1', for: '1m' }] }, 'any.0'],
  [{ none: [cpu] }, ''],
])('gate section rejects %j', (given, path) => {
  const found = issuesOf(gateSection, given);
  expect([...new Set(found.map((complaint) => complaint.split(': ', 1)[0]))]).toEqual([path]);
});
