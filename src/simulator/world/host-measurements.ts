import type { Millis } from '../../kernel/time.ts';
import { noiseOf } from '../seeded-random.ts';
import type { SimulatedHost } from '../topology.ts';
import { type InstanceStatus, isRunning } from './service-statuses.ts';

/** Measurement of one service on one host. */
interface ServiceMeasurement {
  readonly service: string;
  readonly partition: string;
  readonly replica: string;
  /** Percent of the host's capacity; 0 for services that idle. */
  readonly cpu: number;
  readonly memoryMb: number;
}

/** Measurement of the CPU and memory of one host. */
export interface CapacityMeasurement {
  readonly cores: number;
  /** Percent of the host's capacity. */
  readonly cpu: number;
  readonly memoryUsedMb: number;
  readonly memoryTotalMb: number;
  readonly services: readonly ServiceMeasurement[];
}

/** Measurement of one directory: its size, and the free space of its file system. */
export interface DiskMeasurement {
  readonly pathName: string;
  readonly path: string;
  readonly mountPoint: string;
  readonly usedMb: number;
  readonly freeMb: number;
}

/** Open connections, and bytes since the service started. */
export interface NetworkMeasurement {
  readonly connections: number;
  readonly incoming: number;
  readonly outgoing: number;
}

/** Host and time of a measurement. */
export interface MeasurementContext {
  readonly host: SimulatedHost;
  readonly seed: number;
  /** Ms since the epoch. */
  readonly at: number;
}

const cores = 16;
const memoryTotalMb = 64_318;

/** CPU percent and memory of an idle service, and the CPU percent that each running query adds; memory grows by 40 MB for each. */
const resourceUsage: Readonly<Record<string, { cpu: number; memoryMb: number; perQuery: number }>> = {
  GPE: { cpu: 2.6, memoryMb: 6_480, perQuery: 1.9 },
  GSE: { cpu: 0.8, memoryMb: 1_310, perQuery: 0.05 },
  GSQL: { cpu: 0.7, memoryMb: 1_420, perQuery: 0.02 },
  RESTPP: { cpu: 0.6, memoryMb: 690, perQuery: 0.15 },
  KAFKA: { cpu: 1.1, memoryMb: 1_180, perQuery: 0 },
  'KAFKASTRM-LL': { cpu: 0.3, memoryMb: 377, perQuery: 0 },
  NGINX: { cpu: 0, memoryMb: 54, perQuery: 0 },
};
const defaultResourceUsage = { cpu: 0.2, memoryMb: 96, perQuery: 0 };

/** Measures processors and memory. Stopped services are missing, as on real servers; `running` is the number of running queries. */
export function measureCapacity(
  context: MeasurementContext,
  statuses: readonly InstanceStatus[],
  running: number,
): CapacityMeasurement {
  const services = statuses
    .filter(({ instance, status }) => instance.host === context.host && isRunning(status))
    .map(({ instance: { service, partition, replica } }) => ({
      service,
      partition,
      replica,
      ...resourceUsageOf(context, service, running),
    }));
  const system = 1.5 + 2 * fluctuation(context, 'system');
  const memory = services.reduce((sum, { memoryMb }) => sum + memoryMb, 9_400);
  return {
    cores,
    cpu: floatPrecision(
      Math.min(
        100,
        services.reduce((sum, { cpu }) => sum + cpu, system),
      ),
    ),
    memoryUsedMb: Math.min(memory, memoryTotalMb - 512),
    memoryTotalMb,
    services,
  };
}

function resourceUsageOf(
  context: MeasurementContext,
  service: string,
  running: number,
): { cpu: number; memoryMb: number } {
  const { cpu, memoryMb, perQuery } = resourceUsage[service] ?? defaultResourceUsage;
  const level = 0.7 + 0.6 * fluctuation(context, service);
  return {
    cpu: floatPrecision((cpu + running * perQuery) * level),
    memoryMb: Math.round(memoryMb + running * perQuery * 40),
  };
}

const directories = [
  { pathName: 'Gstore', path: '/srv/graph/data/gstore', mountPoint: '/data', usedMb: 91_204.5, growth: 0.021 },
  { pathName: 'Home', path: '/home/graph', mountPoint: '/', usedMb: 5_310.25, growth: 0.0004 },
  { pathName: 'Kafka', path: '/srv/graph/data/kafka', mountPoint: '/data', usedMb: 8_122.75, growth: 0.004 },
  { pathName: 'Log', path: '/srv/graph/log', mountPoint: '/', usedMb: 2_740.5, growth: 0.006 },
] as const;
/** Number of hosts after which the sizes repeat, so that no disk of a large cluster is full because of the number of its host. */
const variedHosts = 20;
const fileSystems: Readonly<Record<string, number>> = { '/data': 240_000, '/': 60_000 };

/**
 * Measures the directories. `age` is the time for which the data has grown; `filled` is the share of the free space on
 * `/data` that a scenario has used.
 */
export function measureDisks(context: MeasurementContext, age: Millis, filled: number): readonly DiskMeasurement[] {
  const grown = directories.map(({ growth, ...directory }) => ({
    ...directory,
    usedMb: directory.usedMb * (1 + (context.host.index % variedHosts) / 20) + (growth * age) / 1000,
  }));
  return grown.map((directory) => {
    const neighbours = grown.filter(({ mountPoint }) => mountPoint === directory.mountPoint);
    const taken = neighbours.reduce((sum, { usedMb }) => sum + usedMb, 0);
    const free = Math.max(0, (fileSystems[directory.mountPoint] ?? 0) - taken);
    const filledMb = directory.mountPoint === '/data' ? free * filled : 0;
    const usedMb = directory.pathName === 'Gstore' ? directory.usedMb + filledMb : directory.usedMb;
    return { ...directory, usedMb: roundToQuarter(usedMb), freeMb: roundToQuarter(free - filledMb) };
  });
}

/**
 * Measures the network; the counters grow from 0 since `bootedAt` (ms since the epoch) and never fall before the next boot.
 * `running` is the number of running queries.
 */
export function measureNetwork(context: MeasurementContext, bootedAt: number, running: number): NetworkMeasurement {
  const seconds = Math.max(0, (context.at - bootedAt) / 1000);
  const rate = 1_400 + 600 * noiseOf(context.seed, context.host.name, 'rate');
  // The rate fluctuates. The slope of the sine is always below that of the line, so the counter never falls.
  const bytes = rate * (seconds + 40 * Math.sin(seconds / 60));
  return {
    connections: Math.round(84 + 12 * fluctuation(context, 'connections') + 2 * running),
    incoming: Math.floor(Math.max(0, bytes)),
    outgoing: Math.floor(Math.max(0, bytes * 0.885)),
  };
}

function fluctuation({ seed, host, at }: MeasurementContext, what: string): number {
  return noiseOf(seed, host.name, what, Math.floor(at / 1000));
}

/** Rounds a number to seven digits, the precision of a 32-bit float. */
function floatPrecision(value: number): number {
  return Number(value.toPrecision(7));
}

function roundToQuarter(megabytes: number): number {
  return Math.round(megabytes * 4) / 4;
}
