import { describe, expect, it } from 'vitest';
import { createFeed } from '../../../src/app/poll/collector-feed.ts';
import { planConfigured } from '../../../src/app/poll/collector-plan.ts';
import { ProbeHistory } from '../../../src/app/poll/probe-history.ts';
import type { ProbeFailureReason, ProbeRun } from '../../../src/collect/probes/probe.ts';
import { probesSection } from '../../../src/collect/probes/settings.ts';
import { failure } from '../../../src/kernel/failure.ts';
import { err, ok } from '../../../src/kernel/result.ts';
import { sampleLines } from '../../support/poll-results.ts';
import { clusterOf, configOf } from '../fakes.ts';

const minute = 60_000;
const cluster = clusterOf('prod', ['m1']);
const planned = planConfigured(
  {
    ...configOf([cluster]),
    probes: probesSection.parse([
      { name: 'ring', graph: 'fraud', installed_query: { query: 'q' }, slo: { objective: 0.9, window: '10m' } },
      { name: 'each', graph: 'fraud', installed_query: { query: 'q' }, nodes: 'all' },
    ]),
  },
  'prod',
);

function runOf(reason?: ProbeFailureReason): ProbeRun {
  const failed = reason === undefined ? undefined : { reason, message: reason };
  return { failure: failed, duration: 100, phases: {}, visibility: [], resultAge: undefined };
}

const instantAt = (mono: number) => ({ wall: mono, mono });

function setUp() {
  const history = new ProbeHistory();
  const receive = (ended: number, result: Parameters<ProbeHistory['onPollResult']>[1]['result'], which = 0): void => {
    const one = planned[which] ?? expect.fail('no such probe');
    const feed = createFeed(cluster, one, one.collector.scope === 'node' ? 'm1' : '', planned);
    history.onPollResult(feed, { result, source: 'm1', started: instantAt(ended - 100), ended: instantAt(ended) });
  };
  const lines = (now: number, node = '', left = planned, nodes = ['m1']) =>
    sampleLines(history.samples('prod', { planned: left, nodes }, instantAt(now)).get(node) ?? []);
  return { receive, lines, history };
}

function failedRuns(count: number): readonly string[] {
  return [
    `graphdb_probe_runs_total{probe="ring",result="failure"} ${count}`,
    `graphdb_probe_failures_total{probe="ring",reason="latency"} ${count}`,
  ];
}

describe('the history of probes', () => {
  it('counts runs by result, and failures by reason', () => {
    const { receive, lines } = setUp();
    receive(minute, ok(runOf()));
    receive(2 * minute, ok(runOf('latency')));
    receive(3 * minute, err(failure('timeout', 'no poll result')));
    lines(3 * minute);
    expect(lines(4 * minute)).toEqual([
      'graphdb_probe_runs_total{probe="ring",result="success"} 1',
      'graphdb_probe_runs_total{probe="ring",result="failure"} 2',
      'graphdb_probe_failures_total{probe="ring",reason="latency"} 1',
      'graphdb_probe_failures_total{probe="ring",reason="timeout"} 1',
      'graphdb_probe_last_success_timestamp_seconds{probe="ring"} 60',
      'graphdb_probe_objective_ratio{probe="ring"} 0.9',
      `graphdb_probe_success_ratio{probe="ring"} ${1 / 3}`,
    ]);
  });

  it('shows the first failures as 0 for a minute, because increase() misses the first value of a series', () => {
    const { receive, lines } = setUp();
    const failures = (at: number): readonly string[] => lines(at).filter((line) => /failure/.test(line));
    receive(minute, ok(runOf('latency')));
    expect(failures(minute)).toEqual(failedRuns(0));
    expect(failures(2 * minute - 1)).toEqual(failedRuns(0));
    expect(failures(2 * minute)).toEqual(failedRuns(1));
  });

  it('has the counts of one cluster, probe and node', () => {
    const { receive, history } = setUp();
    const target = { cluster: 'prod', collector: 'probe_ring', node: '' };
    expect(history.counts(target, instantAt(0))).toBeUndefined();
    receive(minute, ok(runOf()));
    receive(2 * minute, ok(runOf('auth')));
    expect(history.counts(target, instantAt(2 * minute))).toEqual({ succeeded: 1, failed: 1, ratio: 0.5 });
    expect(history.counts(target, instantAt(60 * minute))?.ratio).toBeUndefined();
    expect(history.counts({ ...target, node: 'm1' }, instantAt(0))).toBeUndefined();
  });

  it('computes the ratio over the window only', () => {
    const { receive, lines } = setUp();
    for (let at = 1; at <= 10; at += 1) receive(at * minute, ok(runOf('timeout')));
    for (let at = 11; at <= 15; at += 1) receive(at * minute, ok(runOf()));
    const ratio = lines(15 * minute).at(-1);
    expect(ratio).toBe(`graphdb_probe_success_ratio{probe="ring"} ${5 / 11}`);
    expect(lines(40 * minute).some((line) => line.includes('success_ratio'))).toBe(false);
  });

  it('keeps the nodes apart', () => {
    const { receive, lines } = setUp();
    receive(minute, ok(runOf()), 1);
    expect(lines(minute)).toEqual([]);
    expect(lines(minute, 'm1')[0]).toBe('graphdb_probe_runs_total{probe="each",result="success"} 1');
  });

  it('drops the runs on removed nodes and clusters', () => {
    const { receive, lines, history } = setUp();
    receive(minute, ok(runOf()));
    receive(minute, ok(runOf()), 1);
    expect(lines(minute, 'm1', planned, ['m2'])).toEqual([]);
    expect(lines(minute, 'm1')).toEqual([]);
    expect(lines(minute).length).toBeGreaterThan(0);
    history.forget('prod');
    expect(lines(minute)).toEqual([]);
  });

  it('drops a probe that is not planned, and ignores other collectors', () => {
    const { receive, lines } = setUp();
    receive(minute, ok(runOf()));
    expect(lines(minute, '', [])).toEqual([]);
    expect(lines(minute)).toEqual([]);
  });
});
