import { expect, it } from 'vitest';
import type { GuardReport } from '../../src/app/guard-report.ts';
import { guardTable } from '../../src/cli/guard-table.ts';

const report: GuardReport = { paused: false, reasons: [], mode: 'enforce', policies: [], breakers: [] };
const policies = [
  { name: 'runaway', mode: 'enforce' },
  { name: 'shy', mode: 'observe' },
] as const;

it.each<[string, Partial<GuardReport>]>([
  ['no policy enforces: the guard aborts nothing by itself', {}],
  ['no policy enforces: the guard aborts nothing by itself', { policies: policies.slice(1) }],
  ['the guard observes: it aborts nothing by itself', { mode: 'observe' }],
  ['the guard aborts what breaks policy', { policies }],
  ['the guard is paused: it aborts nothing', { policies, paused: true, reasons: ['operator'] }],
])('says that %s', (expected, changes) => {
  expect(guardTable({ ...report, ...changes }).split('\n')[0]).toBe(expected);
});

it('says everything that holds it', () => {
  const reasons = ['operator', 'signal', 'file', 'unexpected_id', 'state_lost'] as const;
  const lines = guardTable({ ...report, paused: true, reasons }).split('\n');
  expect(lines.filter((line) => line.startsWith('  '))).toHaveLength(5);
});

it('shows policies and breakers, and nothing that moves a terminal', () => {
  const key = 'same_query fraud \u001B[2Jx';
  const breaker = { cluster: 'prod', key, reason: 'same_query', graph: '', query: '', policy: '' } as const;
  const breakers = [
    { ...breaker, since: '2026-09-22T04:53:20.000Z' },
    { ...breaker, since: '' },
  ];
  expect(guardTable({ ...report, policies, breakers })).toBe(
    [
      'the guard aborts what breaks policy',
      '',
      'POLICY   MODE',
      'runaway  enforce',
      'shy      observe',
      '',
      'OPEN SINCE            CLUSTER  BREAKER',
      '2026-09-22 04:53:20Z  prod     same_query fraud  [2Jx',
      '                      prod     same_query fraud  [2Jx',
      '',
    ].join('\n'),
  );
});
