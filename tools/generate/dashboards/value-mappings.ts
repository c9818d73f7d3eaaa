import { type ServiceStatus, serviceStatusCodes } from '../../../src/model/service.ts';
import type { StateMapping } from './definition.ts';
import { zeroOne } from './panels.ts';

/** Code of the only status in which an instance serves requests. */
export const online = serviceStatusCodes.Online;

const colors: Readonly<Record<ServiceStatus, string>> = {
  StatusUnchanged: 'text',
  StatusUnknown: 'super-light-purple',
  Online: 'green',
  Warmup: 'yellow',
  Readonly: 'orange',
  Starting: 'blue',
  Paused: 'purple',
  Stopping: 'dark-orange',
  Offline: 'dark-red',
  Down: 'red',
};

/** Names of all statuses of the server, by their codes. */
export const serviceStatusMappings: readonly StateMapping[] = Object.entries(serviceStatusCodes).map(
  ([text, value]) => ({
    value,
    text,
    color: colorOf(text),
  }),
);

function colorOf(status: string): string {
  return Object.entries(colors).find(([name]) => name === status)?.[1] ?? 'text';
}

/** Returns names for 0 and 1 of a metric where 1 is good. */
export function healthyAtOne(bad: string, good: string): readonly StateMapping[] {
  return zeroOne([bad, 'red'], [good, 'green']);
}

/** Returns names for 0 and 1 of a metric where 1 is bad. */
export function healthyAtZero(good: string, bad: string): readonly StateMapping[] {
  return zeroOne([good, 'green'], [bad, 'red']);
}
