const onlyRecent = 'only servers of 4.3 and later send it: for queries of operators who compare disks';

/** Families that no panel and no rule uses, with the reason. */
export const unusedMetrics: Readonly<Record<string, string>> = {
  graphdb_disk_io_time_seconds_total: onlyRecent,
  graphdb_disk_read_bytes_total: onlyRecent,
  graphdb_disk_read_time_seconds_total: onlyRecent,
  graphdb_disk_reads_total: onlyRecent,
  graphdb_disk_write_time_seconds_total: onlyRecent,
  graphdb_disk_writes_total: onlyRecent,
  graphdb_disk_written_bytes_total: onlyRecent,
  graphdb_informant_withheld_samples: 'it names the families of the dropped series, which are shown',
  graphwarden_collector_replies_over_limit_total: 'the failure reason too_large is shown, and the log names the limit',
  graphwarden_guard_recording_bytes: 'the configuration bounds it',
  graphwarden_guard_recording_lines_dropped_total: 'a gap in the recording does not affect the guard, and is logged',
  graphwarden_http_authentication_failures_total: 'failures are logged with the address of the client',
  graphwarden_http_connections_closed_total: 'the log names the limit, and other clients are not affected',
  graphwarden_http_requests_rejected_total: 'rejected clients see the status 429, and the log names them',
  graphwarden_metric_points_exported_total: 'it grows by the series of the page; the dropped data points are shown',
  graphwarden_reply_memory_limit_bytes: 'the configuration sets it',
  graphwarden_reply_memory_reserved_bytes: 'a reply that waits too long is shown as a failure of its collector',
  graphwarden_reply_memory_waits_total: 'a reply that waits too long is shown as a failure of its collector',
  nodejs_eventloop_lag_seconds: 'one sample per scrape; the longest block of a minute is shown',
  nodejs_version_info: 'the version of the runtime is in graphwarden_build_info',
  process_cpu_seconds_total: 'its two parts are shown, stacked',
  process_heap_bytes: 'the data segment is less useful than resident memory and the heap',
  process_virtual_memory_bytes: 'address space that the runtime reserves is not memory that it uses',
};
