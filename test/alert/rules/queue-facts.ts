type Use = readonly [value: number, limit: number];

/** Returns the samples of one workload queue of an engine, with its limits. */
export function queueFacts({ running, delayed }: { readonly running: Use; readonly delayed: Use }) {
  const labels = { engine: 'GPE_1_1', queue: 'OLTP' };
  return {
    graphdb_workload_queue_running_queries: [[labels, running[0]] as const],
    graphdb_workload_queue_running_limit: [[labels, running[1]] as const],
    graphdb_workload_queue_delayed_queries: [[labels, delayed[0]] as const],
    graphdb_workload_queue_delayed_limit: [[labels, delayed[1]] as const],
  };
}
