import type { Millis } from '../../kernel/time.ts';
import type { SimulatedHost } from '../topology.ts';
import type { EventSource } from './event-source.ts';
import type { CapacityMeasurement, DiskMeasurement, NetworkMeasurement } from './host-measurements.ts';
import type { InstanceStatus } from './service-statuses.ts';
import type { EndpointRecord } from './statistics.ts';

/** Measurement of one host. */
export interface HostMeasurement<Value> {
  readonly host: SimulatedHost;
  /** Ms since the epoch. */
  readonly at: number;
  readonly measurement: Value;
}

/** Sources of the informant's measurements at a time, ms since the epoch. Hosts that are down are missing. */
export interface Instruments {
  capacity(at: number): readonly HostMeasurement<CapacityMeasurement>[];
  disks(at: number): readonly HostMeasurement<readonly DiskMeasurement[]>[];
  network(at: number): readonly HostMeasurement<NetworkMeasurement>[];
  endpoints(at: number): readonly HostMeasurement<Readonly<Record<string, EndpointRecord>>>[];
  statuses(): readonly InstanceStatus[];
}

/** Measurements of one refresh of the informant. Its page shows them until the next refresh. */
export interface InformantView {
  /** Number of the refresh. */
  readonly number: number;
  /** Ms since the epoch. */
  readonly at: number;
  readonly capacity: readonly HostMeasurement<CapacityMeasurement>[];
  readonly disks: readonly HostMeasurement<readonly DiskMeasurement[]>[];
  readonly network: readonly HostMeasurement<NetworkMeasurement>[];
  readonly endpoints: readonly HostMeasurement<Readonly<Record<string, EndpointRecord>>>[];
  readonly statuses: readonly InstanceStatus[];
}

/** Default interval of the informant; it measures disks every five minutes. */
const refreshInterval: Millis = 60_000;

/** Number of refreshes per measurement of the disks. */
const refreshesPerDiskMeasurement = 5;

/** Number of refreshes that by-category responses contain. */
const retained = 15;

/** Simulated informant: measures the hosts once a minute and retains the latest refreshes. */
export class Informant implements EventSource {
  readonly #instruments: Instruments;
  #views: readonly InformantView[] = [];
  #next: number;
  #count = 0;

  constructor(instruments: Instruments, from: number) {
    this.#instruments = instruments;
    this.#next = from;
  }

  /** Latest refresh. The first one runs when the world starts. */
  get view(): InformantView {
    const latest = this.#views.at(-1);
    if (latest === undefined) throw new Error('the informant has not refreshed yet');
    return latest;
  }

  /** Retained refreshes, oldest first. */
  get views(): readonly InformantView[] {
    return this.#views;
  }

  nextEventAt(): number {
    return this.#next;
  }

  runEvent(at: number): void {
    const measuresDisks = this.#count % refreshesPerDiskMeasurement === 0;
    this.#count += 1;
    this.#views = [...this.#views.slice(1 - retained), this.#refresh(at, measuresDisks)];
    this.#next = at + refreshInterval;
  }

  #refresh(at: number, measuresDisks: boolean): InformantView {
    const instruments = this.#instruments;
    return {
      number: this.#count,
      at,
      capacity: instruments.capacity(at),
      disks: measuresDisks ? instruments.disks(at) : this.view.disks,
      network: instruments.network(at),
      endpoints: instruments.endpoints(at),
      statuses: instruments.statuses(),
    };
  }
}
