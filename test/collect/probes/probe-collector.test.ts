import { describe, expect, it } from 'vitest';
import { probeCollector, probeCollectorName, probeMetrics } from '../../../src/collect/probes/probe-collector.ts';
import { probesSection } from '../../../src/collect/probes/settings.ts';
import { failure } from '../../../src/kernel/failure.ts';
import { err, ok } from '../../../src/kernel/result.ts';
import type { ProbeReply } from '../../../src/model/probe.ts';
import { factsOf, neverAborted } from '../../support/client.ts';
import { fakeGraphDb } from '../../support/fake-graphdb.ts';
import { pollOnce } from '../../support/poll-results.ts';

function collectorOf(change: object = {}) {
  const [probe] = probesSection.parse([
    { name: 'ring', graph: 'fraud', installed_query: { query: 'ring_scan', parameters: { id: 'secret' } }, ...change },
  ]);
  return probeCollector(probe ?? expect.fail('no probe'));
}

const reply: ProbeReply = {
  outcome: ok([{ total: 3 }]),
  duration: 250,
  endedAt: 1_790_000_000_000,
  phases: { queue: 0, response: 240 },
  visibility: [],
};

describe('a probe', () => {
  it('becomes a collector with its name, scope and traits', () => {
    expect(probeCollectorName({ name: 'ring' })).toBe('probe_ring');
    expect(collectorOf()).toMatchObject({
      name: 'probe_ring',
      scope: 'cluster',
      metrics: probeMetrics,
      privilege: 'EXECUTE_QUERY, READ_DATA',
      probe: { name: 'ring', kind: 'installed_query', graph: 'fraud', slo: { objective: 0.99 } },
    });
    expect(collectorOf({ nodes: ['m1'] })).toMatchObject({ scope: 'node', nodes: ['m1'] });
  });

  it('gives its result and the phases of its duration', async () => {
    const { error, lines } = await pollOnce(collectorOf({ assert: { count: { min: 1 }, max_latency: '1s' } }), {
      probe: reply,
    });
    expect(error).toBeUndefined();
    expect(lines.filter((line) => !line.includes('timestamp'))).toEqual([
      'graphdb_probe_info{probe="ring",kind="installed_query",graph="fraud"} 1',
      'graphdb_probe_success{probe="ring"} 1',
      'graphdb_probe_duration_seconds{probe="ring"} 0.25',
      'graphdb_probe_duration_limit_seconds{probe="ring"} 1',
      'graphdb_probe_phase_duration_seconds{probe="ring",phase="queue"} 0',
      'graphdb_probe_phase_duration_seconds{probe="ring",phase="response"} 0.24',
    ]);
    expect(lines.join()).not.toContain('secret');
  });

  it('is a successful poll if it fails', async () => {
    const { error, lines } = await pollOnce(collectorOf({ assert: { count: { min: 2 } } }), { probe: reply });
    expect(error).toBeUndefined();
    expect(lines).toContain('graphdb_probe_success{probe="ring"} 0');
    expect(lines).toContain('graphdb_probe_failing{probe="ring",reason="count"} 1');
  });

  it('exposes the age of its result', async () => {
    const old = { ...reply, outcome: ok([{ at: 1_789_999_990 }]) };
    const { lines } = await pollOnce(collectorOf({ assert: { age: { path: '0.at' } } }), { probe: old });
    expect(lines).toContain('graphdb_probe_result_age_seconds{probe="ring"} 10');
  });

  it('exposes when each node returned the row of a heartbeat', async () => {
    const visibility = [
      { node: 'm1', after: 20 },
      { node: 'm2', after: undefined },
    ];
    const outcome = err({ ...failure('body', 'm2 is late'), heartbeat: 'not_visible' as const });
    const collector = collectorOf({ installed_query: undefined, write_heartbeat: {} });
    const { lines } = await pollOnce(collector, { probe: { ...reply, outcome, visibility } });
    expect(lines).toContain('graphdb_probe_visible_after_seconds{probe="ring",reader="m1"} 0.02');
    expect(lines.some((line) => line.includes('m2'))).toBe(false);
    expect(lines).toContain('graphdb_probe_failing{probe="ring",reason="not_visible"} 1');
  });

  it('states the failure of the server, and advises on it by its reason', async () => {
    const collector = collectorOf();
    const db = fakeGraphDb({ probe: { ...reply, outcome: err(failure('unsupported', 'status 404')) } });
    const facts = factsOf(await collector.poll(db, neverAborted()));
    expect(collector.probeRun?.(facts).failure).toEqual({ reason: 'unsupported', message: 'status 404' });
    expect(collector.probe?.adviceOn('unsupported')).toContain('Install the query ring_scan');
    expect(collector.probe?.limit).toBe(10_000);
  });
});
