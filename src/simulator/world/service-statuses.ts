import type { ServiceStatus } from '../../model/service.ts';
import type { ServiceInstance, SimulatedHost, Topology } from '../topology.ts';

/** Status of a service instance. */
export interface InstanceStatus {
  readonly instance: ServiceInstance;
  readonly status: ServiceStatus;
  /** Start of the status, ms since the epoch. */
  readonly since: number;
}

/** Selects service instances; an absent field matches every value. */
export interface InstancePattern {
  readonly service?: string;
  readonly partition?: string;
  readonly replica?: string;
  readonly host?: string;
}

/** Status of each service instance, with its start time. */
export class ServiceStatuses {
  #entries: readonly InstanceStatus[];

  constructor(topology: Topology, at: number) {
    this.#entries = topology.services.map((instance) => ({ instance, status: 'Online', since: at }));
  }

  get entries(): readonly InstanceStatus[] {
    return this.#entries;
  }

  /** Sets the status of all matching instances, and returns their number. */
  set(pattern: InstancePattern, status: ServiceStatus, at: number): number {
    const chosen = this.#entries.filter((entry) => matches(entry.instance, pattern));
    this.#entries = this.#entries.map((entry) =>
      matches(entry.instance, pattern) && entry.status !== status ? { ...entry, status, since: at } : entry,
    );
    return chosen.length;
  }

  /** Returns whether a service on a host answers requests; false for a service that is not installed. */
  isServing(service: string, host: SimulatedHost): boolean {
    return this.#entries.some(
      ({ instance, status }) => instance.service === service && instance.host === host && isRunning(status),
    );
  }
}

/** Whether the operating-system process of an instance with this status exists. */
export function isRunning(status: ServiceStatus): boolean {
  return status !== 'Down' && status !== 'Offline';
}

function matches(instance: ServiceInstance, { service, partition, replica, host }: InstancePattern): boolean {
  return (
    (service === undefined || service === instance.service) &&
    (partition === undefined || partition === instance.partition) &&
    (replica === undefined || replica === instance.replica) &&
    (host === undefined || host === instance.host.name)
  );
}
