import type { Millis } from '../../kernel/time.ts';
import type { SimulatedHost } from '../topology.ts';
import type { EventSource } from './event-source.ts';
import type { CapacityMeasurement, DiskMeasurement, NetworkMeasurement } from './host-measurements.ts';
import type { InstanceStatus } from './service-statuses.ts';
import type { EndpointRecord } from './statistics.ts';

/** One measurement of one host. */
export interface HostMeasurement<Reading> {
  readonly host: SimulatedHost;
  readonly at: number;
  readonly measurement: Reading;
}

/** What the informant can measure at a moment; hosts that are away are not in the lists. */
export interface Instruments {
  capacity(at: number): readonly HostMeasurement<CapacityMeasurement>[];
  disks(at: number): readonly HostMeasurement<readonly DiskMeasurement[]>[];
  network(at: number): readonly HostMeasurement<NetworkMeasurement>[];
  endpoints(at: number): readonly HostMeasurement<Readonly<Record<string, EndpointRecord>>>[];
  statuses(): readonly InstanceStatus[];
}

/** Everything that the last refresh of the informant knows: what its page shows until the next one. */
export interface InformantView {
  /** Grows by one with each refresh. */
  readonly number: number;
  readonly at: number;
  readonly capacity: readonly HostMeasurement<CapacityMeasurement>[];
  readonly disks: readonly HostMeasurement<readonly DiskMeasurement[]>[];
  readonly network: readonly HostMeasurement<NetworkMeasurement>[];
  readonly endpoints: readonly HostMeasurement<Readonly<Record<string, EndpointRecord>>>[];
  readonly statuses: readonly InstanceStatus[];
}

/** The informant's default intervals: everything each minute, the disks every five. */
const refreshInterval: Millis = 60_000;

/** Of refreshes that pass between two looks at the disks. */
const refreshesPerDiskMeasurement = 5;

/** How many refreshes the by-category answers remember. */
const retained = 15;

/** Measures the hosts once a minute and remembers some of the past, as the server's informant does. */
export class Informant implements EventSource {
  readonly #instruments: Instruments;
  #views: readonly InformantView[] = [];
  #next: number;
  #count = 0;

  constructor(instruments: Instruments, from: number) {
    this.#instruments = instruments;
    this.#next = from;
  }

  /** The latest refresh. There is one as soon as the world has been run to its beginning. */
  get view(): InformantView {
    const latest = this.#views.at(-1);
    if (latest === undefined) throw new Error('the informant is asked before its first refresh');
    return latest;
  }

  /** The remembered refreshes, oldest first. */
  get views(): readonly InformantView[] {
    return this.#views;
  }

  nextEventAt(): number {
    return this.#next;
  }

  runEvent(at: number): void {
    const lookAtDisks = this.#count % refreshesPerDiskMeasurement === 0;
    this.#count += 1;
    this.#views = [...this.#views.slice(1 - retained), this.#refresh(at, lookAtDisks)];
    this.#next = at + refreshInterval;
  }

  #refresh(at: number, lookAtDisks: boolean): InformantView {
    const instruments = this.#instruments;
    return {
      number: this.#count,
      at,
      capacity: instruments.capacity(at),
      disks: lookAtDisks ? instruments.disks(at) : this.view.disks,
      network: instruments.network(at),
      endpoints: instruments.endpoints(at),
      statuses: instruments.statuses(),
    };
  }
}
