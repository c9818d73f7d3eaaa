import type { KeyPath } from '../model/config-problem.ts';

/** Old or mistaken names of keys with the valid name. `*` is any key or any index of a list. */
export const renamedKeys: Readonly<Record<string, string>> = {
  'clusters.*.discover.every': 'refresh_interval',
  'collectors.*.every': 'interval',
  'collectors.*.cron': 'schedule',
  'tracker.hold': 'confirm_for',
  'alerts.routes.*.match': 'matchers',
  'alerts.routes.*.repeat': 'repeat_interval',
  'alerts.maintenance.*.match': 'matchers',
  'alerts.rules.*.hold': 'for',
  'alerts.rules.*.keep_firing': 'keep_firing_for',
  'alerts.rules.delay_queue_pressure.waiting': 'share',
  'alerts.rules.endpoint_timeouts.least_requests': 'min_requests',
  'alerts.rules.graph_shrunk.least_vertices': 'min_vertices',
  'alerts.rules.loading_rejects_lines.least_lines': 'min_lines',
  'alerts.rules.memory_near_abort.least_total': 'min_total',
  'alerts.rules.optimizer_statistics_drifted.least_count': 'min_count',
  'alerts.rules.service_not_online.passing_after': 'transition_timeout',
  'guard.policies.*.confirm.sightings': 'observations',
  tracing: 'telemetry.traces',
};

const byLength = Map.groupBy(
  Object.entries(renamedKeys).map(([path, name]) => ({ steps: path.split('.'), name })),
  ({ steps }) => steps.length,
);

/** Returns the valid name of the key at `path`; undefined if the table does not contain it. */
export function renamedTo(path: KeyPath): string | undefined {
  const found = byLength
    .get(path.length)
    ?.find(({ steps }) => steps.every((step, at) => step === '*' || step === path[at]));
  return found?.name;
}
