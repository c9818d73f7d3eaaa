import type { CollectorView, Situation } from '../../model/situation.ts';
import { processLabels } from './text-format.ts';

/** Returns whether a collector was polled on a node since the start, or is no longer configured. */
export function wasPolled({ collectors }: Situation, collector: string, node: string): boolean {
  const view = collectors.find((one) => one.collector === collector && one.node === node);
  return view === undefined || view.fresh || view.reason !== '' || view.lastSuccess !== undefined;
}

/** Time of the last successful poll; 0 if none succeeded. */
export const lastSuccessMetric = 'graphwarden_collector_last_success_timestamp_seconds';
const configLoadedMetric = 'graphwarden_config_last_reload_success_timestamp_seconds';

/** Returns the expression of the time of a last success, or of the configuration load if there was none yet. */
export function timeOrStart(lastSuccess: string): string {
  return `(${lastSuccess} != 0 or 0 * ${lastSuccess} + on (${processLabels}) group_left () ${configLoadedMetric})`;
}

/** Returns the time since the last successful poll. */
export function timeSinceSuccess({ lastSuccess, dueSince }: CollectorView, wall: number): number {
  return wall - (lastSuccess ?? dueSince);
}

/** Describes the scope of a collector: `on m1` or `of the cluster`. */
export function describeScope({ node }: Pick<CollectorView, 'node'>): string {
  return node === '' ? 'of the cluster' : `on ${node}`;
}
