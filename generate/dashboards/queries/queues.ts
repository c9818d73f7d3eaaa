import type { PanelDefinition, RowDefinition } from '../definition.ts';
import { facts } from '../series.ts';

const queue = '{{cluster_name}} {{engine}} {{queue}}';

/** How near the workload queues of the engines are to their limits. */
export const queues: RowDefinition = {
  title: 'Workload queues',
  panels: [
    share(
      'Queues: running',
      'running',
      'Queries that a queue runs, of those that it may run at once; beyond that they wait.',
    ),
    share(
      'Queues: waiting',
      'delayed',
      'Queries that wait in a queue, of those that may; beyond that they are refused.',
    ),
  ],
};

function share(title: string, what: 'running' | 'delayed', description: string): PanelDefinition {
  const family = `graphdb_workload_queue_${what}`;
  const expr = `${facts(family)} / on (cluster_name, engine, queue) (${facts(`${family}_limit`)} > 0)`;
  return {
    look: 'timeseries',
    title,
    description,
    unit: 'percentunit',
    width: 12,
    queries: [{ expr, legend: queue }],
    scale: { min: 0 },
    rules: ['delay_queue_pressure'],
  };
}
