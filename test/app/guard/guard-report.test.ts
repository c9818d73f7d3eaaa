import { describe, expect, it } from 'vitest';
import { reportAbort, reportDecision, reportGuard, reportPause } from '../../../src/app/guard/guard-report.ts';
import { settingsOf } from '../../guard/decision/guard-simulation.ts';
import { policyOf } from '../../guard/match-inputs.ts';
import { abortView, decisionView, FakeGuardControl, pendingAbort } from '../fake-guard-control.ts';
import { clusterOf } from '../fakes.ts';

describe('the report of an abort', () => {
  it('has all fields, in seconds and timestamps', () => {
    expect(reportAbort('prod', abortView({ grantedTimeout: 16_000 }))).toEqual({
      key: 'k1',
      cluster: 'prod',
      node: 'm1',
      id: '7.RESTPP_1_1.1790000000000.N',
      graph: 'fraud',
      query: 'ring_scan',
      policy: 'runaway',
      manual: null,
      ageSeconds: 75,
      grantedTimeoutSeconds: 16,
      at: '2026-09-22T04:53:20.000Z',
      outcome: 'confirmed',
      endedAt: '2026-09-22T04:53:22.000Z',
    });
  });

  it('has null for unknown fields', () => {
    expect(reportAbort('prod', pendingAbort)).toMatchObject({
      outcome: null,
      endedAt: null,
      grantedTimeoutSeconds: null,
    });
  });

  it('of a decision has the phase and the reason', () => {
    expect(reportDecision(decisionView())).toMatchObject({
      mode: 'enforce',
      phase: 'over',
      skipReason: null,
      delayReason: null,
    });
    expect(reportDecision(decisionView({ skipReason: 'paused', late: 'reserve' }))).toMatchObject({
      skipReason: 'paused',
      delayReason: 'reserve',
    });
  });
});

const clusters = [clusterOf('test', ['m1']), clusterOf('prod', ['m1'])];

it.each([
  ['observe', 'observe'],
  ['enforce', 'enforce'],
] as const)('a guard in %s mode has policies that %s', (mode, expected) => {
  const report = reportGuard(new FakeGuardControl(), {
    guard: settingsOf([policyOf()], { mode }),
    clusters,
    scope: 'cluster',
  });
  expect(report).toMatchObject({ paused: false, reasons: [], mode, policies: [{ name: 'runaway', mode: expected }] });
  const verb = mode === 'enforce' ? 'aborts' : 'would abort';
  expect(report.policies[0]?.sentences.join('\n')).toContain(
    `It ${verb} installed queries of the clusters test and prod`,
  );
  expect(report.budgets).toEqual([{ cluster: 'prod', node: 'm1', left: 1, max: 3, withinSeconds: 600 }]);
  expect(report.breakers).toMatchObject([{ cluster: 'prod', since: '2026-09-22T04:53:20.000Z' }]);
});

it.each([
  [[], [], { paused: false, reasons: [] }],
  [['prod'], [], { paused: false, reasons: [] }],
  [['prod', 'test'], [], { paused: true, reasons: ['unexpected_id'] }],
  [['prod'], ['operator'], { paused: true, reasons: ['operator'] }],
] as const)('the pause of %j, and of all for %j, is %j', (own, all, expected) => {
  const control = new FakeGuardControl();
  for (const cluster of own) control.pausedClusters.add(cluster);
  for (const reason of all) control.reasons.add(reason);
  const { clusters: each, ...common } = reportPause(control, ['prod', 'test']);
  expect(common).toEqual(expected);
  const paused = each.filter((one) => one.paused).map(({ cluster }) => cluster);
  expect(paused).toEqual(all.length > 0 ? ['prod', 'test'] : own);
});

it('guard report › reports since when the configuration file is rejected, and its first problem', () => {
  const problem = { file: 'a.yml', line: 3, column: 1, path: 'lisen', message: 'unknown key' };
  const rejection = { since: Date.UTC(2026, 8, 22), problems: [problem, problem], isGuardUnreadable: false };
  const config = { guard: settingsOf([]), clusters, scope: 'cluster' } as const;
  expect(reportGuard(new FakeGuardControl(), { ...config, rejection }).rejectedConfig).toEqual({
    since: '2026-09-22T00:00:00.000Z',
    problem: 'a.yml:3:1: lisen: unknown key (and 1 more)',
  });
  expect(reportGuard(new FakeGuardControl(), config).rejectedConfig).toBeNull();
});
