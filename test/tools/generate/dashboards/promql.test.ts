import { describe, expect, it } from 'vitest';
import {
  average,
  deduplicated,
  increase,
  labelsOf,
  rate,
  selector,
} from '../../../../tools/generate/dashboards/promql.ts';

const chosen = 'job=~"$job", instance=~"$instance", cluster_name=~"$cluster_name"';

describe('selector', () => {
  it('has a matcher for each variable that applies, and the given matchers', () => {
    expect(selector('graphdb_up')).toBe(`graphdb_up{${chosen}, node=~"$node"}`);
    expect(selector('graphdb_service_status', 'status!="Online"')).toBe(
      `graphdb_service_status{${chosen}, service_name=~"$service_name", status!="Online"}`,
    );
    expect(selector('process_open_fds')).toBe('process_open_fds{job=~"$job", instance=~"$instance"}');
  });

  it('rejects metrics and labels that are not in the catalog', () => {
    expect(() => selector('graphdb_novelty')).toThrow('unknown metric graphdb_novelty');
    expect(() => selector('graphdb_up', 'graph="fraud"')).toThrow("graphdb_up has no label 'graph'");
    expect(() => selector('graphdb_up_bucket', 'le="1"')).toThrow('unknown metric graphdb_up_bucket');
  });

  it('accepts the parts of a histogram', () => {
    const family = 'graphwarden_notification_latency_seconds';
    expect(selector(`${family}_bucket`, 'le="1"')).toContain(`${family}_bucket{`);
    expect(labelsOf(`${family}_count`)).toEqual(['receiver']);
    expect(labelsOf(`${family}_bucket`)).toEqual(['receiver', 'le']);
  });
});

describe('aggregation', () => {
  it('removes duplicate facts and labels of scrapers', () => {
    expect(deduplicated('graphdb_up')).toBe(`max by (cluster_name, node) (graphdb_up{${chosen}, node=~"$node"})`);
  });

  it('keeps the label of the instance for self-metrics', () => {
    expect(deduplicated('graphwarden_state_durable')).toMatch(/^max by \(instance\) \(/);
    expect(deduplicated('graphwarden_outbox_depth')).toMatch(/^max by \(instance, receiver\) \(/);
  });

  it('computes rates and increases over the interval of the graph', () => {
    const family = 'graphdb_network_bytes_total';
    const by = 'max by (cluster_name, host_id, direction)';
    expect(rate(family)).toBe(`${by} (rate(${family}{${chosen}}[$__rate_interval]))`);
    expect(increase(family)).toBe(`${by} (increase(${family}{${chosen}}[$__rate_interval]))`);
  });

  it('computes an average from the sum and the count', () => {
    expect(average('graphwarden_call_duration_seconds', 'outcome')).toMatch(
      /^sum by \(outcome\) \(max by .*_sum.*\) \/ \(sum by \(outcome\) \(max by .*_count.*\) > 0\)$/,
    );
  });

  it('selects metrics of the process only for processes of graphwarden', () => {
    const scope = 'job=~"$job", instance=~"$instance"';
    expect(rate('process_cpu_user_seconds_total')).toBe(
      `max by (instance) (rate(process_cpu_user_seconds_total{${scope}}[$__rate_interval]) and on (job, instance) graphwarden_build_info{${scope}})`,
    );
  });
});
