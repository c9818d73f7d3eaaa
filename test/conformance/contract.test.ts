import { describe, expect, it } from 'vitest';
import { collectors } from '../../src/collect/all.ts';
import { metricCatalog } from '../../src/collect/collector.ts';
import type { MetricType } from '../../src/metric/metric.ts';

type Row = readonly [name: string, type: MetricType, scope: 'node' | 'cluster', labels: string];

/** What users were promised: a change here is a breaking change. `cluster_name` and `node` are the runner's. */
const families: readonly Row[] = [
  ['graphdb_up', 'gauge', 'node', ''],
  ['graphdb_reachable', 'gauge', 'node', ''],
  ['graphdb_build_info', 'gauge', 'node', 'component version commit'],
  ['graphdb_host_cpu_usage_ratio', 'gauge', 'cluster', 'host_id'],
  ['graphdb_host_cpu_available_ratio', 'gauge', 'cluster', 'host_id'],
  ['graphdb_host_cpu_logical_cores', 'gauge', 'cluster', 'host_id'],
  ['graphdb_host_memory_used_bytes', 'gauge', 'cluster', 'host_id'],
  ['graphdb_host_memory_available_bytes', 'gauge', 'cluster', 'host_id'],
  ['graphdb_host_memory_total_bytes', 'gauge', 'cluster', 'host_id'],
  ['graphdb_host_memory_limited', 'gauge', 'cluster', 'host_id'],
  ['graphdb_service_cpu_usage_ratio', 'gauge', 'cluster', 'host_id service_name'],
  ['graphdb_service_memory_used_bytes', 'gauge', 'cluster', 'host_id service_name'],
  ['graphdb_disk_used_bytes', 'gauge', 'cluster', 'host_id mount_point path path_name'],
  ['graphdb_disk_free_bytes', 'gauge', 'cluster', 'host_id mount_point'],
  ['graphdb_disk_inodes_used', 'gauge', 'cluster', 'host_id mount_point'],
  ['graphdb_disk_inodes_free', 'gauge', 'cluster', 'host_id mount_point'],
  ['graphdb_disk_read_bytes_total', 'counter', 'cluster', 'host_id mount_point'],
  ['graphdb_disk_written_bytes_total', 'counter', 'cluster', 'host_id mount_point'],
  ['graphdb_disk_reads_total', 'counter', 'cluster', 'host_id mount_point'],
  ['graphdb_disk_writes_total', 'counter', 'cluster', 'host_id mount_point'],
  ['graphdb_disk_read_time_seconds_total', 'counter', 'cluster', 'host_id mount_point'],
  ['graphdb_disk_write_time_seconds_total', 'counter', 'cluster', 'host_id mount_point'],
  ['graphdb_disk_io_time_seconds_total', 'counter', 'cluster', 'host_id mount_point'],
  ['graphdb_network_connections', 'gauge', 'cluster', 'host_id'],
  ['graphdb_network_bytes_total', 'counter', 'cluster', 'host_id direction'],
  ['graphdb_informant_withheld_samples', 'gauge', 'cluster', 'family reason'],
  ['graphdb_informant_collected_timestamp_seconds', 'gauge', 'cluster', 'host_id category'],
  ['graphdb_service_status', 'gauge', 'cluster', 'service_name partition replica status'],
  ['graphdb_service_status_code', 'gauge', 'cluster', 'service_name partition replica'],
  ['graphdb_service_process_running', 'gauge', 'cluster', 'service_name partition replica'],
  ['graphdb_endpoint_recent_requests', 'gauge', 'node', 'graph method path outcome'],
  ['graphdb_endpoint_requests_per_second', 'gauge', 'node', 'graph method path'],
  ['graphdb_endpoint_latency_average_seconds', 'gauge', 'node', 'graph method path'],
  ['graphdb_endpoint_latency_min_seconds', 'gauge', 'node', 'graph method path'],
  ['graphdb_endpoint_latency_max_seconds', 'gauge', 'node', 'graph method path'],
  ['graphdb_endpoint_latency_seconds', 'summary', 'node', 'graph method path quantile'],
  ['graphdb_endpoint_uncounted_graphs', 'gauge', 'node', ''],
  ['graphdb_queries_running', 'gauge', 'node', 'graph'],
  ['graphdb_query_oldest_age_seconds', 'gauge', 'node', 'graph'],
  ['graphdb_queries_overdue', 'gauge', 'node', 'graph query'],
  ['graphdb_queries_delayed', 'gauge', 'node', 'graph'],
  ['graphdb_delayed_query_oldest_age_seconds', 'gauge', 'node', 'graph'],
  ['graphdb_workload_queue_running_queries', 'gauge', 'cluster', 'engine queue'],
  ['graphdb_workload_queue_delayed_queries', 'gauge', 'cluster', 'engine queue'],
  ['graphdb_workload_queue_running_limit', 'gauge', 'cluster', 'engine queue'],
  ['graphdb_workload_queue_delayed_limit', 'gauge', 'cluster', 'engine queue'],
  ['graphdb_license_expiration_timestamp_seconds', 'gauge', 'cluster', ''],
  ['graphdb_check_passed', 'gauge', 'cluster', 'check graph partition engine'],
  ['graphdb_check_unsynced_entries', 'gauge', 'cluster', 'check graph partition engine'],
  ['graphdb_check_duration_seconds', 'gauge', 'cluster', 'check graph partition engine'],
  ['graphdb_check_last_run_timestamp_seconds', 'gauge', 'cluster', 'check graph partition engine'],
  ['graphdb_endpoints', 'gauge', 'cluster', 'graph kind'],
  ['graphdb_endpoints_other_graphs', 'gauge', 'cluster', ''],
  ['graphdb_data_sources', 'gauge', 'cluster', 'type scope'],
  ['graphdb_data_sources_uncompared', 'gauge', 'cluster', ''],
  ['graphdb_vector_index_rebuilding_engines', 'gauge', 'cluster', 'graph'],
  ['graphdb_vector_index_uncounted_graphs', 'gauge', 'cluster', ''],
  ['graphdb_function_code_digest', 'gauge', 'cluster', 'code'],
  ['graphdb_functions', 'gauge', 'cluster', 'kind'],
  ['graphdb_functions_uncompared', 'gauge', 'cluster', ''],
  ['graphdb_optimizer_type_vertices', 'gauge', 'cluster', 'graph type'],
  ['graphdb_optimizer_type_edges', 'gauge', 'cluster', 'graph type'],
  ['graphdb_optimizer_other_types', 'gauge', 'cluster', 'graph'],
  ['graphdb_optimizer_uncounted_graphs', 'gauge', 'cluster', ''],
  ['graphdb_graphs', 'gauge', 'cluster', ''],
  ['graphdb_schema_objects', 'gauge', 'cluster', 'graph object'],
  ['graphdb_schema_uncompared_objects', 'gauge', 'cluster', ''],
  ['graphdb_schema_uncounted_graphs', 'gauge', 'cluster', ''],
  ['graphdb_schema_version', 'gauge', 'node', 'graph'],
  ['graphdb_schema_version_uncounted_graphs', 'gauge', 'node', ''],
  ['graphdb_graph_vertices', 'gauge', 'cluster', 'graph'],
  ['graphdb_graph_edges', 'gauge', 'cluster', 'graph'],
  ['graphdb_graph_type_vertices', 'gauge', 'cluster', 'graph type'],
  ['graphdb_graph_type_edges', 'gauge', 'cluster', 'graph type'],
  ['graphdb_graph_other_types', 'gauge', 'cluster', 'graph'],
  ['graphdb_graphs_uncounted', 'gauge', 'cluster', ''],
  ['graphdb_graph_queries', 'gauge', 'cluster', 'graph'],
  ['graphdb_query_definitions', 'gauge', 'cluster', 'graph state'],
  ['graphdb_query_definitions_uncounted_graphs', 'gauge', 'cluster', ''],
  ['graphdb_loading_jobs', 'gauge', 'cluster', 'graph state'],
  ['graphdb_loading_jobs_failed', 'gauge', 'cluster', 'graph loading_job'],
  ['graphdb_loading_job_age_seconds', 'gauge', 'cluster', 'graph loading_job'],
  ['graphdb_loading_job_progress_ratio', 'gauge', 'cluster', 'graph loading_job'],
  ['graphdb_loading_job_lines_per_second', 'gauge', 'cluster', 'graph loading_job'],
  ['graphdb_loading_job_lines', 'gauge', 'cluster', 'graph loading_job result'],
  ['graphdb_loading_jobs_other', 'gauge', 'cluster', ''],
  ['graphdb_loading_jobs_uncounted_graphs', 'gauge', 'cluster', ''],
  ['graphdb_users', 'gauge', 'cluster', 'state'],
  ['graphdb_superusers', 'gauge', 'cluster', 'holder'],
  ['graphdb_destructive_privilege_holders', 'gauge', 'cluster', 'holder privilege'],
  ['graphdb_superusers_added_total', 'counter', 'cluster', 'holder'],
  ['graphdb_destructive_privileges_granted_total', 'counter', 'cluster', 'holder privilege'],
  ['graphdb_failed_logins_total', 'counter', 'cluster', ''],
  ['graphdb_user_groups', 'gauge', 'cluster', ''],
  ['graphdb_roles', 'gauge', 'cluster', 'kind'],
  ['graphdb_scim_users', 'gauge', 'cluster', ''],
  ['graphdb_scim_groups', 'gauge', 'cluster', ''],
  ['graphdb_detached_queries_running', 'gauge', 'node', 'graph'],
  ['graphdb_detached_query_oldest_age_seconds', 'gauge', 'node', 'graph'],
  ['graphdb_detached_queries_overdue', 'gauge', 'node', 'graph'],
  ['graphdb_detached_queries_ended_total', 'counter', 'node', 'graph outcome'],
  ['graphdb_detached_queries_uncounted_graphs', 'gauge', 'node', ''],
  ['graphdb_statement_state', 'gauge', 'cluster', 'statement state'],
  ['graphdb_statements_file_problems', 'gauge', 'cluster', ''],
  ['graphdb_rebuild_success', 'gauge', 'cluster', 'graph'],
  ['graphdb_rebuild_duration_seconds', 'gauge', 'cluster', 'graph'],
  ['graphdb_rebuild_last_run_timestamp_seconds', 'gauge', 'cluster', 'graph'],
  ['graphdb_token_cleanup_success', 'gauge', 'cluster', ''],
  ['graphdb_token_cleanup_duration_seconds', 'gauge', 'cluster', ''],
  ['graphdb_token_cleanup_last_run_timestamp_seconds', 'gauge', 'cluster', ''],
];

const kept = /_total$|^graphdb_(?:check|rebuild|token_cleanup)_/;
const seconds = 1000;
const minutes = 60 * seconds;

describe('the promised families', () => {
  const catalogue = metricCatalog(collectors);

  it.each(families)('%s is a %s of a %s', (name, type, scope, labels) => {
    const entry = catalogue.get(name);
    expect(entry?.metric.type).toBe(type);
    expect(entry?.scope).toBe(scope);
    expect(entry?.metric.labels.join(' ')).toBe(labels);
    expect(entry?.metric.keep).toBe(kept.test(name));
  });

  it('are all families', () => {
    expect([...catalogue.keys()]).toEqual(families.map(([name]) => name).toSorted());
  });
});

const defaults = [
  ['health', true, 5 * seconds, 3 * seconds],
  ['metrics', true, 15 * seconds, 5 * seconds],
  ['categories', true, 60 * seconds, 5 * seconds],
  ['services', true, 5 * seconds, 3 * seconds],
  ['statistics', true, 60 * seconds, 5 * seconds],
  ['queries', true, 5 * seconds, 3 * seconds],
  ['delayed_queries', true, 5 * seconds, 3 * seconds],
  ['workload_queues', true, 15 * seconds, 5 * seconds],
  ['license', true, 60 * minutes, 5 * seconds],
  ['endpoints', false, 5 * minutes, 10 * seconds],
  ['graph_sizes', false, 5 * minutes, 60 * seconds],
  ['query_definitions', false, 10 * minutes, 60 * seconds],
  ['loading_jobs', false, 2 * minutes, 30 * seconds],
  ['data_sources', false, 5 * minutes, 10 * seconds],
  ['vector_indexes', false, 5 * minutes, 30 * seconds],
  ['user_functions', false, 15 * minutes, 60 * seconds],
  ['optimizer_statistics', false, 15 * minutes, 60 * seconds],
  ['schema', false, 10 * minutes, 60 * seconds],
  ['schema_versions', false, 60 * seconds, 20 * seconds],
  ['users', false, 5 * minutes, 30 * seconds],
  ['scim', false, 5 * minutes, 30 * seconds],
  ['detached_queries', false, 2 * minutes, 20 * seconds],
  ['statements', false, 60 * seconds, 30 * seconds],
] as const;

describe('the promised defaults', () => {
  it.each(defaults)('%s: enabled %s, every %i ms, timeout %i ms', (name, enabled, every, timeout) => {
    const own = collectors.find((collector) => collector.name === name)?.defaults;
    expect(own).toEqual({ enabled, interval: every, timeout });
  });

  it.each([
    ['consistency', '0 3 * * SUN', 30 * minutes],
    ['rebuild', '0 4 * * SUN', 120 * minutes],
    ['expired_tokens', '30 4 * * *', 5 * minutes],
  ])('%s runs by a cron schedule', (name, schedule, timeout) => {
    const own = collectors.find((one) => one.name === name)?.defaults;
    expect(own).toMatchObject({ enabled: false, schedule, timeout });
  });

  it('are for all collectors', () => {
    const promised = ['consistency', 'rebuild', 'expired_tokens', ...defaults.map(([name]) => name)];
    expect(collectors.map(({ name }) => name).toSorted()).toEqual(promised.toSorted());
  });
});
