import type { Millis } from '../../kernel/time.ts';
import type { ServiceStatus } from '../../model/service.ts';
import { type FaultName, faultNames } from '../faults/names.ts';
import type { InstancePattern } from './service-board.ts';

/** Names of the scenarios, for options and command lines. */
export const scenarioNames = [
  'calm',
  'runaway_queries',
  'queue_storm',
  'flapping',
  'node_outage',
  'disk_full',
  'bad_server',
] as const;

/** One of {@link scenarioNames}. */
export type ScenarioName = (typeof scenarioNames)[number];

/** A stretch of a scenario. What it does not mention is as on a calm day, and as well again when it ends. */
export interface Phase {
  readonly lasts: Millis;
  /** Multiplies how often queries arrive. */
  readonly rush?: number;
  /** Multiplies how long they run. */
  readonly slowness?: number;
  /** Statuses of services during the phase. Patterns name hosts by number from the end: see {@link ScenarioStatus}. */
  readonly statuses?: readonly ScenarioStatus[];
  /** This host is away. */
  readonly stopped?: HostNumber;
  /** Queries that start with the phase. */
  readonly runaways?: readonly { readonly host: HostNumber; readonly query: string }[];
  /** Share of the free space on a host's data disk that is gone, from the phase's begin to its end. */
  readonly filling?: { readonly host: HostNumber; readonly from: number; readonly to: number };
  /** Every node misbehaves in this way. */
  readonly fault?: FaultName;
}

/** Counts hosts from 0, over and over in clusters that have fewer. */
type HostNumber = number;

/** A status for the instances of a service on one host. */
interface ScenarioStatus extends Omit<InstancePattern, 'host'> {
  readonly on: HostNumber;
  readonly status: ServiceStatus;
}

/** What happens to the cluster, over and over. */
export interface Scenario {
  readonly about: string;
  readonly phases: readonly Phase[];
}

const s = 1_000;

/** All scenarios. Their incidents begin soon: somebody is watching. */
export const scenarios: Readonly<Record<ScenarioName, Scenario>> = {
  calm: { about: 'An ordinary day.', phases: [{ lasts: 3_600 * s }] },
  runaway_queries: {
    about: 'Queries with generous timeouts run for minutes and pile up on two nodes.',
    phases: [
      { lasts: 20 * s },
      { lasts: 30 * s, runaways: [runaway(0, 'ring_scan')] },
      { lasts: 30 * s, runaways: [runaway(1, 'pagerank'), runaway(0, 'ring_scan')] },
      { lasts: 30 * s, runaways: [runaway(0, 'ring_scan'), runaway(0, 'community_of')] },
      { lasts: 180 * s, slowness: 1.5 },
    ],
  },
  queue_storm: {
    about: 'Far more slow queries arrive than may run at once: they queue, and the queues overflow.',
    phases: [{ lasts: 20 * s }, { lasts: 120 * s, rush: 25, slowness: 5 }, { lasts: 100 * s }],
  },
  flapping: {
    about: 'One engine goes down and comes back, again and again.',
    phases: [{ lasts: 25 * s }, ...restart('GPE', 1, { down: 8 * s, starting: 4 * s, warmup: 8 * s })],
  },
  node_outage: {
    about: 'A host goes away with everything on it, and its services warm up when it is back.',
    phases: [{ lasts: 30 * s }, { lasts: 90 * s, stopped: 2 }, ...comeback(2), { lasts: 120 * s }],
  },
  disk_full: {
    about: 'The data disk of a host fills up, the engine on it turns read-only, then room is made.',
    phases: [
      { lasts: 20 * s },
      { lasts: 600 * s, filling: { host: 1, from: 0, to: 1 } },
      // The informant looks at the disks every five minutes: as long as this it shows for longer than rules hold.
      {
        lasts: 900 * s,
        filling: { host: 1, from: 1, to: 1 },
        statuses: [{ service: 'GPE', on: 1, status: 'Readonly' }],
      },
      { lasts: 300 * s },
    ],
  },
  bad_server: {
    about: 'Every known fault of a server, one after another.',
    phases: faultNames.map((fault) => ({ lasts: 10 * s, fault })),
  },
};

function runaway(host: HostNumber, query: string): { readonly host: HostNumber; readonly query: string } {
  return { host, query };
}

function restart(
  service: string,
  on: HostNumber,
  times: { readonly down: Millis; readonly starting: Millis; readonly warmup: Millis },
): readonly Phase[] {
  return [
    { lasts: times.down, statuses: [{ service, on, status: 'Down' }] },
    { lasts: times.starting, statuses: [{ service, on, status: 'Starting' }] },
    { lasts: times.warmup, statuses: [{ service, on, status: 'Warmup' }] },
  ];
}

function comeback(on: HostNumber): readonly Phase[] {
  const engines = ['GPE', 'GSE'];
  return [
    { lasts: 15 * s, statuses: engines.map((service) => ({ service, on, status: 'Starting' })) },
    { lasts: 25 * s, statuses: [{ service: 'GPE', on, status: 'Warmup' }] },
  ];
}
