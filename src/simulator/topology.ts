import type { ServerRelease } from './versions.ts';

/** Simulated host with the service instances that it runs. */
export interface SimulatedHost {
  readonly index: number;
  /** Name of the node, such as `m1`, which the server uses as well. */
  readonly name: string;
  readonly address: string;
  /** Server instance in request ids, such as `RESTPP_1_1`. */
  readonly instance: string;
  /** Engine that runs the queries of this host, such as `GPE_1_1`. */
  readonly engine: string;
}

/** Service instance and its host. */
export interface ServiceInstance {
  readonly service: string;
  /** Partition; `''` for a service without partitions. */
  readonly partition: string;
  readonly replica: string;
  readonly host: SimulatedHost;
}

/** Hosts and services of one cluster, which do not change. */
export interface Topology {
  readonly hosts: readonly SimulatedHost[];
  readonly services: readonly ServiceInstance[];
  readonly partitions: number;
}

/** Numbering of the instances of a service: by replica, by partition, or by both, as for the engines. */
type Numbering = 'replica' | 'partition' | 'both';

/** Services. `most` limits the instances of services with a quorum, which run on the first hosts only. */
const services: readonly { name: string; numbering: Numbering; most?: number; legacyOnly?: true }[] = [
  { name: 'ADMIN', numbering: 'replica' },
  { name: 'CTRL', numbering: 'replica' },
  { name: 'DICT', numbering: 'replica', most: 3 },
  { name: 'ETCD', numbering: 'replica', most: 3 },
  { name: 'EXE', numbering: 'partition' },
  { name: 'GPE', numbering: 'both' },
  { name: 'GSE', numbering: 'both' },
  { name: 'GSQL', numbering: 'replica' },
  { name: 'GUI', numbering: 'replica' },
  { name: 'IFM', numbering: 'replica' },
  { name: 'KAFKA', numbering: 'replica' },
  { name: 'KAFKACONN', numbering: 'replica' },
  { name: 'KAFKASTRM-LL', numbering: 'partition' },
  { name: 'NGINX', numbering: 'replica' },
  { name: 'RESTPP', numbering: 'replica' },
  { name: 'TS3', numbering: 'partition', legacyOnly: true },
  { name: 'TS3SERV', numbering: 'replica', most: 1, legacyOnly: true },
  { name: 'ZK', numbering: 'replica', most: 3 },
];

/**
 * Lays a cluster out over `count` hosts; as many replicas per partition as divide the hosts evenly, at most three. Each
 * host has `instancesPerHost` service instances at least.
 */
export function createTopology(count: number, release: ServerRelease, instancesPerHost = 0): Topology {
  const replicas = [3, 2].find((size) => count % size === 0) ?? 1;
  const hosts = Array.from({ length: count }, (_, index) => hostAt(index, replicas));
  const installed = services.filter((service) => release.legacyPaths || service.legacyOnly !== true);
  const own = installed.flatMap(({ name, numbering, most = count }) =>
    hosts.slice(0, most).map((on) => ({ service: name, ...instanceNumbers(on.index, numbering, replicas), host: on })),
  );
  return {
    hosts,
    partitions: count / replicas,
    services: [...own, ...hosts.flatMap((on) => furtherReplicas(on, own, { count, instancesPerHost }))],
  };
}

/** Returns further replicas of the services that are numbered by replica, in turn. */
function furtherReplicas(
  on: SimulatedHost,
  own: readonly ServiceInstance[],
  { count, instancesPerHost }: { readonly count: number; readonly instancesPerHost: number },
): readonly ServiceInstance[] {
  const names = services.filter(({ numbering, most }) => numbering === 'replica' && most === undefined);
  const missing = instancesPerHost - own.filter((instance) => instance.host === on).length;
  return Array.from({ length: Math.max(0, missing) }, (_, at) => {
    const replica = on.index + 1 + count * (1 + Math.floor(at / names.length));
    return { service: names[at % names.length]?.name ?? '', partition: '', replica: String(replica), host: on };
  });
}

function hostAt(index: number, replicas: number): SimulatedHost {
  const { partition, replica } = instanceNumbers(index, 'both', replicas);
  return {
    index,
    name: `m${index + 1}`,
    address: `10.0.${Math.floor(index / 200)}.${11 + (index % 200)}`,
    instance: `RESTPP_1_${index + 1}`,
    engine: `GPE_${partition}_${replica}`,
  };
}

function instanceNumbers(
  index: number,
  numbering: Numbering,
  replicas: number,
): { partition: string; replica: string } {
  if (numbering === 'replica') return { partition: '', replica: String(index + 1) };
  if (numbering === 'partition') return { partition: String(index + 1), replica: '' };
  return { partition: String(Math.floor(index / replicas) + 1), replica: String((index % replicas) + 1) };
}
