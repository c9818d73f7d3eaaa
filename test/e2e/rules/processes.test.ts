import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { alertGroups } from '../../../tools/generate/rules/rule-files.ts';
import { findTool } from '../../support/tools.ts';

const promtool = findTool('promtool');
const folder = mkdtempSync(join(tmpdir(), 'alert-installations-'));

afterAll(() => rmSync(folder, { recursive: true }));

/** Series of one installation, whose instance was relabelled to the name of its pod, as is that of its neighbour. */
function pageOf(namespace: string, values: Readonly<Record<string, string>>) {
  const target = `job="graphwarden",namespace="${namespace}",instance="graphwarden-0"`;
  return Object.entries(values).map(([name, value]) => ({
    series: name.includes('{') ? name.replace('}', `,${target}}`) : `${name}{${target}}`,
    values: value.includes('x') ? value : `${value}x60`,
  }));
}

/** Alerts that are to fire, or none, at some moments. */
type Firing = Readonly<Record<string, readonly string[]>>;

/** What promtool says when two installations show these pages and exactly these alerts are to fire. */
function runPromtool(series: readonly ReturnType<typeof pageOf>[], alert: string, firing: Firing) {
  const checks = Object.entries(firing).map(([at, alerts]) => ({
    expr: `ALERTS{alertname="${alert}",alertstate="firing"}`,
    eval_time: at,
    exp_samples: alerts.map((labels) => ({
      labels: `ALERTS{alertname="${alert}",alertstate="firing",job="graphwarden",${labels}}`,
      value: 1,
    })),
  }));
  const tests = [{ interval: '15s', input_series: series.flat(), promql_expr_test: checks }];
  const groups = alertGroups().map((group) => ({
    ...group,
    rules: group.rules.filter((rule) => 'alert' in rule && rule.alert === alert),
  }));
  const named = groups.filter(({ rules }) => rules.length > 0);
  writeFileSync(join(folder, 'rules.yml'), stringify({ groups: named }, { lineWidth: 0 }));
  writeFileSync(
    join(folder, 'test.yml'),
    stringify({ rule_files: ['rules.yml'], evaluation_interval: '15s', tests }, { lineWidth: 0 }),
  );
  const { status, stdout, stderr } = spawnSync(promtool ?? '', ['test', 'rules', 'test.yml'], {
    encoding: 'utf8',
    cwd: folder,
  });
  return { status, said: `${stdout}${stderr}` };
}

const identity = 'cluster_name="prod",node="m1",collector="queries"';
const begun = { graphwarden_config_last_reload_success_timestamp_seconds: '1' };
const blind = {
  [`graphwarden_collector_failing{${identity},reason="timeout"}`]: '1',
  [`graphwarden_collector_configured_interval_seconds{${identity}}`]: '5',
  [`graphwarden_collector_last_success_timestamp_seconds{${identity}}`]: '0',
  ...begun,
};
const heldUp = {
  'graphwarden_guard_paused{cluster_name="prod"}': '1',
  'graphwarden_guard_paused_by{cluster_name="prod",reason="unexpected_id"}': '1',
};
const enforcing = { 'graphwarden_guard_mode{cluster_name="prod",policy="runaway",mode="enforce"}': '1' };

describe.skipIf(promtool === undefined)('two installations in two namespaces, each named by the same pod', () => {
  it('are distinguished when a collector has no data', () => {
    const firing = ['severity="warning",namespace="x",cluster_name="prod",node="m1",collector="queries"'];
    const { status, said } = runPromtool([pageOf('x', blind), pageOf('y', begun)], 'GraphdbCollectorBlind', {
      '14m': firing,
    });
    expect(said).not.toMatch(/FAILED|duplicate/);
    expect(status).toBe(0);
  });

  it('are distinguished when a guard pauses itself: the policies of the other one still enforce', () => {
    const own = runPromtool([pageOf('x', { ...heldUp, ...enforcing })], 'GraphdbGuardPaused', {
      '14m': ['severity="critical",namespace="x",cluster_name="prod"'],
    });
    expect(own).toMatchObject({ status: 0, said: expect.stringContaining('SUCCESS') });
    const others = runPromtool([pageOf('x', heldUp), pageOf('y', enforcing)], 'GraphdbGuardPaused', { '14m': [] });
    expect(others).toMatchObject({ status: 0, said: expect.stringContaining('SUCCESS') });
  });
});

describe.skipIf(promtool === undefined)('a restarted process', () => {
  const manualAborts = 'graphwarden_guard_outcomes_total{cluster_name="prod",node="m1",outcome="unknown"}';
  const firing = ['severity="critical",namespace="x",cluster_name="prod",node="m1"'];

  it('with the same counter value as before fires the alert for an hour', () => {
    const page = pageOf('x', {
      [manualAborts]: '1x280 stale _ 1x300',
      process_start_time_seconds: '-7200x280 stale _ 4215x300',
    });
    const expected = { '65m': [], '74m': firing, '129m': firing, '133m': [] };
    const { status, said } = runPromtool([page], 'GraphdbAbortUnconfirmed', expected);
    expect(said).not.toContain('FAILED');
    expect(status).toBe(0);
  });
});
