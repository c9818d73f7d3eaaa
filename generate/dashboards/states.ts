import { type ServiceStatus, serviceStatusCodes } from '../../src/model/service.ts';
import type { State } from './definition.ts';

/** The code of the one status in which an instance serves. */
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

/** The names of all statuses of the server, by their codes. */
export const serviceStates: readonly State[] = Object.entries(serviceStatusCodes).map(([text, value]) => ({
  value,
  text,
  color: colorOf(text),
}));

function colorOf(status: string): string {
  return Object.entries(colors).find(([name]) => name === status)?.[1] ?? 'text';
}

/** Names for 0 and 1 where 1 is good. */
export function wellAt1(bad: string, good: string): readonly State[] {
  return [
    { value: 0, text: bad, color: 'red' },
    { value: 1, text: good, color: 'green' },
  ];
}

/** Names for 0 and 1 where 1 is bad. */
export function wellAt0(good: string, bad: string): readonly State[] {
  return [
    { value: 0, text: good, color: 'green' },
    { value: 1, text: bad, color: 'red' },
  ];
}
