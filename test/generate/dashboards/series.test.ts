import { describe, expect, it } from 'vitest';
import { facts, increase, labelsOf, quantile, rate, series } from '../../../generate/dashboards/series.ts';

const chosen = 'job=~"$job", instance=~"$instance", cluster_name=~"$cluster_name"';

describe('a selector', () => {
  it('has a matcher for each variable that applies, and what is asked beside', () => {
    expect(series('graphdb_up')).toBe(`graphdb_up{${chosen}, node=~"$node"}`);
    expect(series('graphdb_service_status', 'status!="Online"')).toBe(
      `graphdb_service_status{${chosen}, status!="Online"}`,
    );
    expect(series('process_open_fds')).toBe('process_open_fds{job=~"$job", instance=~"$instance"}');
  });

  it('is of a family that there is, and of labels that it has', () => {
    expect(() => series('graphdb_novelty')).toThrow('no family graphdb_novelty');
    expect(() => series('graphdb_up', 'graph="fraud"')).toThrow("graphdb_up has no label 'graph'");
    expect(() => series('graphdb_up_bucket', 'le="1"')).toThrow('no family graphdb_up_bucket');
  });

  it('may be of a part of a histogram', () => {
    const family = 'graphwarden_notification_latency_seconds';
    expect(series(`${family}_bucket`, 'le="1"')).toContain(`${family}_bucket{`);
    expect(labelsOf(`${family}_count`)).toEqual(['receiver']);
    expect(labelsOf(`${family}_bucket`)).toEqual(['receiver', 'le']);
  });
});

describe('facts', () => {
  it('count once, whatever is attached to them', () => {
    expect(facts('graphdb_up')).toBe(`max by (cluster_name, node) (graphdb_up{${chosen}, node=~"$node"})`);
  });

  it('about a process keep the label that tells which', () => {
    expect(facts('graphwarden_state_durable')).toMatch(/^max by \(instance\) \(/);
    expect(facts('graphwarden_outbox_depth')).toMatch(/^max by \(instance, receiver\) \(/);
  });

  it('that grow are looked at over the interval of the graph', () => {
    const family = 'graphdb_network_bytes_total';
    const by = 'max by (cluster_name, host_id, direction)';
    expect(rate(family)).toBe(`${by} (rate(${family}{${chosen}}[$__rate_interval]))`);
    expect(increase(family)).toBe(`${by} (increase(${family}{${chosen}}[$__rate_interval]))`);
  });

  it('of a histogram are joined before a quantile is taken', () => {
    expect(quantile(0.99, 'graphwarden_notification_latency_seconds', 'receiver')).toBe(
      'histogram_quantile(0.99, sum by (le, receiver) (rate(graphwarden_notification_latency_seconds_bucket{job=~"$job", instance=~"$instance"}[$__rate_interval])))',
    );
  });
});
