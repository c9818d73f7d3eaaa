import { describe, expect, it } from 'vitest';
import type { GuardReport } from '../../../src/api/guard.ts';
import { guardStatusTable } from '../../../src/cli/commands/guard-status.ts';
import { fixedReply, serve } from '../../support/served-listener.ts';
import { runCommand, startGuardApi } from '../guard-api.ts';

describe('guard status', () => {
  it('prints text', async () => {
    const { control, url } = await startGuardApi();
    control.reasons.add('file');
    const { code, out } = await runCommand(url, 'guard', 'status');
    expect(code).toBe(0);
    expect(out).toMatch(/^guard paused: no query is aborted\n {2}.*guard\.paused/);
    expect(out).toContain('prod     same_query fraud ring_scan\n');
    expect(out).toMatch(
      /policies that cannot act on a node:\nNODE +REASON +POLICY +HELD +SINCE\nprod\/m2 +its query server instance is unknown, or another node reports the same one; the budget of the node is spent +runaway +1 +2026-/,
    );
  });

  it('prints JSON for scripts', async () => {
    const { url } = await startGuardApi();
    const { out } = await runCommand(url, 'guard', 'status', '--json');
    expect(JSON.parse(out)).toMatchObject({
      paused: false,
      reasons: [],
      policies: [{ name: 'runaway', mode: 'enforce' }],
    });
  });

  it('fails on an unexpected response', async () => {
    const { url } = await serve(fixedReply({ body: '{"paused":"no"}' }));
    expect(await runCommand(url, 'guard', 'status')).toMatchObject({
      code: 1,
      error: expect.stringContaining('unexpected response of the daemon'),
    });
  });

  it('fails on a breaker without the time at which it opened', async () => {
    const breakers = [
      { cluster: 'prod', key: 'same_query', reason: 'same_query', graph: '', query: '', policy: '', since: '' },
    ];
    const { url } = await serve(fixedReply({ body: JSON.stringify({ ...report, breakers }) }));
    expect(await runCommand(url, 'guard', 'status')).toMatchObject({
      code: 1,
      out: '',
      error: expect.stringContaining('unexpected response of the daemon at breakers[0].since: '),
    });
  });
});

const report: GuardReport = {
  paused: false,
  reasons: [],
  clusters: [],
  mode: 'enforce',
  policies: [],
  budgets: [],
  breakers: [],
  readiness: [],
  rejectedConfig: null,
};
const policies = [
  { name: 'runaway', mode: 'enforce', sentences: [] },
  { name: 'shy', mode: 'observe', sentences: [] },
] as const;

describe('guard status table', () => {
  it.each<[string, Partial<GuardReport>]>([
    ['guard in mode enforce, but no policy enforces: no query is aborted automatically', {}],
    [
      'guard in mode enforce, but no policy enforces: no query is aborted automatically',
      { policies: policies.slice(1) },
    ],
    ['guard in mode observe: no query is aborted automatically', { mode: 'observe' }],
    ['guard in mode enforce: queries that match an enforcing policy are aborted', { policies }],
    ['guard paused: no query is aborted', { policies, paused: true, reasons: ['operator'] }],
  ])('begins with: %s', (expected, changes) => {
    expect(guardStatusTable({ ...report, ...changes }).split('\n')[0]).toBe(expected);
  });

  it('begins with the rejection of the configuration file', () => {
    const rejectedConfig = { since: '2026-09-22T04:53:20.000Z', problem: 'a.yml:3:1: lisen: unknown \u001b[2Jkey' };
    expect(
      guardStatusTable({ ...report, rejectedConfig })
        .split('\n')
        .slice(0, 3),
    ).toEqual([
      'configuration file rejected since 2026-09-22 04:53:20Z, its last accepted version is in force',
      '  a.yml:3:1: lisen: unknown  [2Jkey',
      '',
    ]);
  });

  it('lists each reason of a pause', () => {
    const reasons = ['operator', 'signal', 'file', 'unexpected_id', 'state_lost'] as const;
    const lines = guardStatusTable({ ...report, paused: true, reasons }).split('\n');
    expect(lines.filter((line) => line.startsWith('  '))).toHaveLength(5);
  });

  it('lists the clusters whose guard paused itself', () => {
    const clusters = [
      { cluster: 'prod', paused: true, reasons: ['operator', 'unexpected_id'] },
      { cluster: 'test', paused: true, reasons: ['operator'] },
    ] as const;
    const lines = guardStatusTable({ ...report, paused: true, reasons: ['operator'], clusters }).split('\n');
    expect(lines).toEqual([
      'guard paused: no query is aborted',
      '  an operator paused the guard',
      'guard paused on cluster prod',
      '  an abort response contains an unexpected query id',
      '',
    ]);
  });

  it('lists policies and breakers without control characters', () => {
    const key = 'same_query fraud \u001B[2Jx';
    const breaker = { cluster: 'prod', key, reason: 'same_query', graph: '', query: '', policy: '' } as const;
    const breakers = [
      { ...breaker, since: '2026-09-22T04:53:20.000Z' },
      { ...breaker, since: '' },
    ];
    expect(guardStatusTable({ ...report, policies, breakers })).toBe(
      [
        'guard in mode enforce: queries that match an enforcing policy are aborted',
        '',
        'POLICY   MODE',
        'runaway  enforce',
        'shy      observe',
        '',
        'OPEN SINCE            CLUSTER  BREAKER',
        '2026-09-22 04:53:20Z  prod     same_query fraud  [2Jx',
        '-                     prod     same_query fraud  [2Jx',
        '',
      ].join('\n'),
    );
  });
});
