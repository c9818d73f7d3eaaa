import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { rules } from '../../src/alert/rules/all.ts';
import { findTool } from '../support/tools.ts';

const promtool = findTool('promtool');
const folder = mkdtempSync(join(tmpdir(), 'rule-twins-'));
const expressions = new Map(
  rules.flatMap(({ name, twin, thresholds }) => {
    const values = new Map(thresholds.map((threshold) => [threshold.name, String(threshold.value)]));
    const filled = twin?.replaceAll(/\{\{(\w+)\}\}/g, (_, threshold: string) => values.get(threshold) ?? 'missing');
    return filled === undefined ? [] : [[name, filled] as const];
  }),
);
const ruleFile = {
  groups: [
    {
      name: 'graphwarden',
      rules: rules
        .filter(({ name }) => expressions.has(name))
        .map(({ name, hold }) => ({ alert: name, expr: expressions.get(name), for: `${hold}ms` })),
    },
  ],
};

const replica = 'cluster_name="prod",service_name="GPE",partition="1",replica="1"';
const identity = { cluster_name: 'prod', service_name: 'GPE', partition: '1', replica: '1' };
const host = 'cluster_name="prod",host_id="m1"';
const endpoint = 'cluster_name="prod",node="m1",graph="g",method="GET",path="/query/g/q"';
const collector = 'cluster_name="prod",node="m1",collector="queries"';
const aborted = 'cluster_name="prod",node="m1",policy="runaway"';
const gibibyte = 2 ** 30;

/** What is on the page for half an hour, minute by minute, and the labels of what then fires; undefined for nothing. */
interface Case {
  readonly rule: string;
  readonly about: string;
  readonly series: Readonly<Record<string, string>>;
  readonly fires?: Readonly<Record<string, string>>;
}

const memory = (free: number, total: number): Case['series'] => ({
  [`graphdb_host_memory_available_bytes{${host}}`]: `${free * gibibyte}x30`,
  [`graphdb_host_memory_total_bytes{${host}}`]: `${total * gibibyte}x30`,
});
const requests = (timeouts: number, completed: number): Case['series'] => ({
  [`graphdb_endpoint_window_requests{${endpoint},outcome="timeout"}`]: `${timeouts}x30`,
  [`graphdb_endpoint_window_requests{${endpoint},outcome="completed"}`]: `${completed}x30`,
});
const failing = (reason: string): Case['series'] => ({
  [`graphwarden_collector_success{${collector}}`]: '0x30',
  [`graphwarden_collector_last_success_timestamp_seconds{${collector}}`]: '0x30',
  [`graphwarden_collector_interval_seconds{${collector}}`]: '5x30',
  [`graphwarden_collector_failures_total{${collector},reason="${reason}"}`]: '0+12x30',
});

const cases: readonly Case[] = [
  {
    rule: 'node_unreachable',
    about: 'a node that is down',
    series: { 'graphdb_up{cluster_name="prod",node="m1"}': '0x30' },
    fires: { cluster_name: 'prod', node: 'm1' },
  },
  {
    rule: 'node_unreachable',
    about: 'a node that is up',
    series: { 'graphdb_up{cluster_name="prod",node="m1"}': '1x30' },
  },
  {
    rule: 'partition_without_online_replica',
    about: 'a partition that has none',
    series: { 'graphdb_partition_online_replicas{cluster_name="prod",service_name="GPE",partition="1"}': '0x30' },
    fires: { cluster_name: 'prod', service_name: 'GPE', partition: '1' },
  },
  {
    rule: 'partition_without_online_replica',
    about: 'a partition that has one',
    series: { 'graphdb_partition_online_replicas{cluster_name="prod",service_name="GPE",partition="1"}': '1x30' },
  },
  {
    rule: 'service_not_online',
    about: 'an instance that is down',
    series: { [`graphdb_service_status{${replica},status="Down"}`]: '1x30' },
    fires: identity,
  },
  {
    rule: 'service_not_online',
    about: 'an instance that warms up since a moment ago',
    series: {
      [`graphdb_service_status{${replica},status="Warmup"}`]: '1x30',
      [`graphdb_service_state_since_timestamp_seconds{${replica}}`]: '1500x30',
    },
  },
  {
    rule: 'service_not_online',
    about: 'an instance that has warmed up for too long',
    series: {
      [`graphdb_service_status{${replica},status="Warmup"}`]: '1x30',
      [`graphdb_service_state_since_timestamp_seconds{${replica}}`]: '60x30',
    },
    fires: identity,
  },
  {
    rule: 'memory_near_abort',
    about: 'a large host',
    series: memory(8, 64),
    fires: { cluster_name: 'prod', host_id: 'm1' },
  },
  { rule: 'memory_near_abort', about: 'a host with enough', series: memory(16, 64) },
  { rule: 'memory_near_abort', about: 'a host that is too small for the engine to care', series: memory(2, 16) },
  {
    rule: 'endpoint_timeouts',
    about: 'an endpoint that times out often',
    series: requests(5, 40),
    fires: { cluster_name: 'prod', node: 'm1', graph: 'g', method: 'GET', path: '/query/g/q' },
  },
  { rule: 'endpoint_timeouts', about: 'one that times out now and then', series: requests(1, 90) },
  { rule: 'endpoint_timeouts', about: 'one that hardly anybody asks', series: requests(1, 2) },
  {
    rule: 'collector_blind',
    about: 'a collector that times out',
    series: failing('timeout'),
    fires: { cluster_name: 'prod', node: 'm1', collector: 'queries' },
  },
  { rule: 'collector_blind', about: 'what the server does not have', series: failing('unsupported') },
  { rule: 'collector_blind', about: 'what has an alert of its own', series: failing('auth') },
  {
    rule: 'query_aborted',
    about: 'an abort of a moment ago',
    series: { [`graphwarden_guard_abort_attempts_total{${aborted}}`]: '0x26 1x3' },
    fires: { cluster_name: 'prod', node: 'm1', policy: 'runaway' },
  },
  {
    rule: 'query_aborted',
    about: 'the first by hand, whose series is new',
    series: { 'graphwarden_guard_abort_attempts_total{cluster_name="prod",node="m1"}': '_x27 1x3' },
    fires: { cluster_name: 'prod', node: 'm1' },
  },
  {
    rule: 'query_aborted',
    about: 'aborts of long ago',
    series: { [`graphwarden_guard_abort_attempts_total{${aborted}}`]: '0 2x30' },
  },
  {
    rule: 'abort_unconfirmed',
    about: 'a query that runs on',
    series: { [`graphwarden_guard_outcomes_total{${aborted},outcome="still_running"}`]: '0x10 1x20' },
    fires: { cluster_name: 'prod', node: 'm1', policy: 'runaway', outcome: 'still_running' },
  },
  {
    rule: 'abort_unconfirmed',
    about: 'one that is gone',
    series: { [`graphwarden_guard_outcomes_total{${aborted},outcome="confirmed"}`]: '0x10 1x20' },
  },
  {
    rule: 'guard_breaker_open',
    about: 'two queries that are aborted no more',
    series: { 'graphwarden_guard_breaker_open{cluster_name="prod",reason="same_query"}': '0x10 2x20' },
    fires: { cluster_name: 'prod', reason: 'same_query' },
  },
  {
    rule: 'guard_blind',
    about: 'a node without a good list',
    series: { 'graphwarden_guard_blind{cluster_name="prod",node="m1"}': '1x30' },
    fires: { cluster_name: 'prod', node: 'm1' },
  },
  { rule: 'guard_paused', about: 'a pause of half an hour', series: { graphwarden_guard_paused: '1x30' } },
];

afterAll(() => rmSync(folder, { recursive: true }));

function check(...words: readonly string[]): { readonly status: number | null; readonly said: string } {
  const { status, stdout, stderr } = spawnSync(promtool ?? '', words, { encoding: 'utf8', cwd: folder });
  return { status, said: `${stdout}${stderr}` };
}

function put(name: string, content: unknown): string {
  writeFileSync(join(folder, name), stringify(content));
  return name;
}

describe('the twins of the rules', () => {
  it('name only families that are on the page', () => {
    const known = readFileSync('docs/metrics.json', 'utf8');
    const named = [...expressions.values()].flatMap((text) => text.match(/\b(?:graphdb|graphwarden)_\w+/g) ?? []);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((name) => !known.includes(`"${name}"`))).toEqual([]);
  });
});

describe.skipIf(promtool === undefined)('the twins in PromQL', () => {
  it('are what promtool takes for rules', () => {
    expect(check('check', 'rules', put('rules.yml', ruleFile))).toMatchObject({ status: 0 });
  });

  it.each(cases)('$rule: $about', ({ rule, series, fires }) => {
    put('rules.yml', ruleFile);
    const expected = fires === undefined ? [] : [{ exp_labels: fires }];
    const test = {
      interval: '1m',
      input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
      alert_rule_test: [{ eval_time: '29m', alertname: rule, exp_alerts: expected }],
    };
    const outcome = check(
      'test',
      'rules',
      put('test.yml', { rule_files: ['rules.yml'], evaluation_interval: '1m', tests: [test] }),
    );
    expect(outcome.said).not.toContain('FAILED');
    expect(outcome.status).toBe(0);
  });
});
