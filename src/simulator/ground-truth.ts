import { type ServiceStatus, serviceStatusCodes } from '../model/service.ts';
import { pageFamilies } from './endpoints/informant-page.ts';
import type { SimulatedCheckResult } from './world/consistency-results.ts';
import type { CapacityMeasurement, DiskMeasurement, NetworkMeasurement } from './world/host-measurements.ts';
import type { InformantView } from './world/informant.ts';
import { inQueue } from './world/node-load.ts';
import { type QueueName, queueNames, type SimulatedQuery } from './world/query.ts';
import type { EndpointRecord } from './world/statistics.ts';
import type { HostState, World } from './world/world.ts';

/** True state of the cluster at this instant, in the units of the server. */
export interface GroundTruth {
  /** Ms since the epoch. */
  readonly at: number;
  readonly graphs: readonly string[];
  readonly nodes: readonly NodeTruth[];
  readonly services: readonly ServiceTruth[];
  /** Measurements of the last refresh of the informant; hosts that were down then are missing. */
  readonly hosts: readonly HostTruth[];
  readonly queues: readonly QueueTruth[];
  readonly license: { readonly expiresAt: number; readonly daysRemaining: number };
  readonly checks: readonly SimulatedCheckResult[];
  /** Samples of the informant page, under the names of the server. */
  readonly page: readonly InformantSampleTruth[];
}

/** Sample on the informant's page. */
interface InformantSampleTruth {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** True state of one node. */
export interface NodeTruth {
  readonly node: string;
  /** Whether it accepts connections. */
  readonly up: boolean;
  readonly running: readonly SimulatedQuery[];
  readonly delayed: readonly SimulatedQuery[];
  /** Number of queries that were rejected because a queue was full. */
  readonly rejected: number;
  /** Endpoint statistics by graph and endpoint, for the last 60 s in 100 segments. */
  readonly statistics: Readonly<Record<string, Readonly<Record<string, EndpointRecord>>>>;
}

/** True state of one service instance. */
interface ServiceTruth {
  readonly service: string;
  readonly partition: string;
  readonly replica: string;
  readonly node: string;
  readonly status: ServiceStatus;
  readonly code: number;
  readonly process: 'Running' | 'Stopped';
  /** Code on the informant's page since its last refresh; it can lag behind `code`. */
  readonly reportedCode: number | undefined;
}

/** Measurements of one host. */
interface HostTruth {
  readonly hostId: string;
  readonly capacity: CapacityMeasurement | undefined;
  readonly disks: readonly DiskMeasurement[];
  readonly network: NetworkMeasurement | undefined;
  /** Times of the measurements, ms since the epoch by the clock of the host. */
  readonly collectedAt: { readonly capacity?: number; readonly disks?: number; readonly network?: number };
}

/** True state of one workload queue of one engine. */
interface QueueTruth {
  readonly engine: string;
  readonly queue: QueueName;
  readonly running: number;
  readonly delayed: number;
  readonly runningLimit: number;
  readonly delayedLimit: number;
}

/** Returns the true state of a world, without endpoints and faults. */
export function groundTruthOf(world: World): GroundTruth {
  const reachable = world.hosts.filter(({ isDown }) => !isDown);
  return {
    at: world.now,
    graphs: world.graphs,
    nodes: world.hosts.map((state) => nodeTruth(world, state)),
    services: serviceTruths(world),
    hosts: world.topology.hosts.map(({ name }) => hostTruth(world, name)),
    queues: reachable.flatMap(queueTruths),
    license: {
      expiresAt: world.licenseExpiresAt,
      daysRemaining: Math.floor((world.licenseExpiresAt - world.now) / 86_400_000),
    },
    checks: world.consistencyResults.results,
    page: pageFamilies(world).flatMap(({ name, samples }) =>
      samples.map((sample) => ({ name: world.settings.prefix + name, ...sample })),
    ),
  };
}

function nodeTruth(world: World, state: HostState): NodeTruth {
  const { running, delayed, rejected } = state.load;
  const window = { seconds: 60, segments: 100 };
  return {
    node: state.host.name,
    up: world.isReachable(state),
    running,
    delayed,
    rejected,
    statistics: Object.fromEntries(world.graphs.map((graph) => [graph, world.statistics(state, { ...window, graph })])),
  };
}

function serviceTruths({ serviceStatuses, informant }: World): readonly ServiceTruth[] {
  return serviceStatuses.entries.map(({ instance, status }) => {
    const { service, partition, replica, host } = instance;
    const reported = informant.view.statuses.find((entry) => entry.instance === instance);
    const code = serviceStatusCodes[status];
    return {
      service,
      partition,
      replica,
      node: host.name,
      status,
      code,
      process: code >= serviceStatusCodes.Offline ? 'Stopped' : 'Running',
      reportedCode: reported === undefined ? undefined : serviceStatusCodes[reported.status],
    };
  });
}

function hostTruth(world: World, name: string): HostTruth {
  const { view } = world.informant;
  const capacity = onHost(view.capacity, name);
  const disks = onHost(view.disks, name);
  const network = onHost(view.network, name);
  return {
    hostId: name,
    capacity: capacity?.measurement,
    disks: disks?.measurement ?? [],
    network: network?.measurement,
    collectedAt: {
      ...(capacity === undefined ? {} : { capacity: capacity.at + world.clockOffset(capacity.host) }),
      ...(disks === undefined ? {} : { disks: disks.at + world.clockOffset(disks.host) }),
      ...(network === undefined ? {} : { network: network.at + world.clockOffset(network.host) }),
    },
  };
}

function onHost<Entry extends InformantView['capacity' | 'disks' | 'network'][number]>(
  measured: readonly Entry[],
  name: string,
): Entry | undefined {
  return measured.find(({ host }) => host.name === name);
}

function queueTruths({ host, load }: HostState): readonly QueueTruth[] {
  return queueNames.map((queue) => ({
    engine: host.engine,
    queue,
    running: inQueue(load.running, queue).length,
    delayed: inQueue(load.delayed, queue).length,
    runningLimit: load.limits[queue].running,
    delayedLimit: load.limits[queue].delayed,
  }));
}
