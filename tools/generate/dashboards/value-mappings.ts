import { colorOfStatus, serviceStatusCodes } from '../../../src/model/service.ts';
import type { StateMapping } from './definition.ts';
import { zeroOne } from './panels.ts';
import { deduplicated } from './promql.ts';

/** Code of the only status in which an instance serves requests. */
export const online = serviceStatusCodes.Online;

/** Names of all statuses of the server, by their codes. */
export const serviceStatusMappings: readonly StateMapping[] = [
  { value: -1, text: 'unrecognised', color: colorOfStatus('unrecognised') },
  ...Object.entries(serviceStatusCodes).map(([text, value]) => ({ value, text, color: colorOfStatus(text) })),
];

/** Returns names for 0 and 1 of a metric where 1 is good. */
export function healthyAtOne(bad: string, good: string): readonly StateMapping[] {
  return zeroOne([bad, 'red'], [good, 'green']);
}

/** Sum of `graphdb_up` and `graphdb_reachable` of each node, which {@link responseMappings} names. */
export const responseQuery = `${deduplicated('graphdb_up')} + ${deduplicated('graphdb_reachable')}`;

/** Names of the values of {@link responseQuery}. A node that refuses requests is reachable. */
export const responseMappings: readonly StateMapping[] = [
  { value: 0, text: 'no response', color: 'red' },
  { value: 1, text: 'refuses', color: 'red' },
  { value: 2, text: 'responds', color: 'green' },
];

/** Returns names for 0 and 1 of a metric where 1 is bad. */
export function healthyAtZero(good: string, bad: string): readonly StateMapping[] {
  return zeroOne([good, 'green'], [bad, 'red']);
}

/** Severities of alerts. The codes sort a table: the worst severity has the highest one. */
export const severityMappings: readonly StateMapping[] = [
  { value: 3, text: 'critical', color: 'red' },
  { value: 2, text: 'warning', color: 'orange' },
  { value: 1, text: 'info', color: 'blue' },
];
