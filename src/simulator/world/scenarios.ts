import type { Millis } from '../../kernel/time.ts';
import type { ServiceStatus } from '../../model/service.ts';
import { type FaultName, faultNames } from '../faults/fault.ts';
import type { InstancePattern } from './service-statuses.ts';

/** Names of the scenarios, for options and command lines. */
export const scenarioNames = [
  'calm',
  'runaway_queries',
  'queue_storm',
  'rejected_storm',
  'flapping',
  'node_outage',
  'disk_full',
  'cleared_store',
  'schema_change',
  'bad_load',
  'new_superuser',
  'bad_server',
] as const;

/** One of {@link scenarioNames}. */
export type ScenarioName = (typeof scenarioNames)[number];

/**
 * A phase of a scenario. Absent fields are as in the scenario `calm`, and all fields return to that when the phase
 * ends.
 */
export interface Phase {
  readonly duration: Millis;
  /** Factor of the arrival rate of queries. */
  readonly loadFactor?: number;
  /** Factor of the run time of queries. */
  readonly durationFactor?: number;
  /** Statuses of services during the phase. */
  readonly statuses?: readonly ScenarioStatus[];
  /** Host that is down. */
  readonly stopped?: HostNumber;
  /** Queries that start with the phase. */
  readonly runaways?: readonly Runaway[];
  /** Used share of the free space on a host's data disk, at the start and at the end of the phase. */
  readonly filling?: { readonly host: HostNumber; readonly from: number; readonly to: number };
  /** The graphs are empty. */
  readonly isCleared?: true;
  /** A change of the schema made one query invalid and dropped another; one node misses it. */
  readonly isSchemaChanged?: true;
  /** The input of the loading jobs is bad. */
  readonly isLoadBad?: true;
  /** An intruder guesses a password, makes a user superuser and gives a group a destructive privilege. */
  readonly isIntruded?: true;
  /** Fault of all nodes. */
  readonly fault?: FaultName;
}

/** Index of a host from 0, modulo the number of hosts. */
type HostNumber = number;

/** A query that runs for minutes. */
interface Runaway {
  readonly host: HostNumber;
  readonly query: string;
  /** Whether the query runs in detached mode. */
  readonly isDetached?: true;
}

/** A status for the instances of a service on one host. */
interface ScenarioStatus extends Omit<InstancePattern, 'host'> {
  readonly on: HostNumber;
  readonly status: ServiceStatus;
}

/** Sequence of phases that repeats. */
export interface Scenario {
  readonly about: string;
  readonly phases: readonly Phase[];
}

const second = 1_000;

/** All scenarios. Their incidents start early, so that a demo shows them soon. */
export const scenarios: Readonly<Record<ScenarioName, Scenario>> = {
  calm: { about: 'Normal load without incidents.', phases: [{ duration: 3_600 * second }] },
  runaway_queries: {
    about: 'Queries with long timeouts run for minutes and accumulate on two nodes.',
    phases: [
      { duration: 20 * second },
      { duration: 30 * second, runaways: [runaway(0, 'ring_scan')] },
      { duration: 30 * second, runaways: [{ ...runaway(1, 'pagerank'), isDetached: true }, runaway(0, 'ring_scan')] },
      { duration: 30 * second, runaways: [runaway(0, 'ring_scan'), runaway(0, 'community_of')] },
      { duration: 180 * second, durationFactor: 1.5 },
    ],
  },
  queue_storm: {
    about: 'More slow queries arrive than can run at once; the workload queues fill up and overflow.',
    phases: [
      { duration: 20 * second },
      { duration: 120 * second, loadFactor: 25, durationFactor: 5 },
      { duration: 100 * second },
    ],
  },
  rejected_storm: {
    about: 'Twice as many queries arrive as the engines can run; the servers reject about half of them.',
    phases: [
      { duration: 20 * second },
      { duration: 240 * second, loadFactor: 32, durationFactor: 5 },
      { duration: 120 * second },
    ],
  },
  flapping: {
    about: 'One GPE replica goes down and recovers repeatedly.',
    phases: [
      { duration: 25 * second },
      ...restart('GPE', 1, { down: 8 * second, starting: 4 * second, warmup: 8 * second }),
    ],
  },
  node_outage: {
    about: 'One host goes down with all its services, which warm up when the host is back.',
    phases: [
      { duration: 30 * second },
      { duration: 90 * second, stopped: 2 },
      ...recovery(2),
      { duration: 120 * second },
    ],
  },
  disk_full: {
    about: 'The data disk of one host fills up, its GPE becomes read-only, and then space is freed.',
    phases: [
      { duration: 20 * second },
      { duration: 600 * second, filling: { host: 1, from: 0, to: 1 } },
      // The informant measures disks every five minutes, so the phase must last longer than that plus the pending
      // period.
      {
        duration: 900 * second,
        filling: { host: 1, from: 1, to: 1 },
        statuses: [{ service: 'GPE', on: 1, status: 'Readonly' }],
      },
      { duration: 300 * second },
    ],
  },
  cleared_store: {
    about: 'All vertices and edges are deleted, and loaded again ten minutes later.',
    phases: [{ duration: 30 * second }, { duration: 600 * second, isCleared: true }, { duration: 300 * second }],
  },
  schema_change: {
    about: 'A schema change breaks queries, and one node does not apply it; both are corrected ten minutes later.',
    phases: [{ duration: 30 * second }, { duration: 600 * second, isSchemaChanged: true }, { duration: 300 * second }],
  },
  bad_load: {
    about: 'A loading job fails, another stalls, and a third one rejects a fifth of its lines, for ten minutes.',
    phases: [{ duration: 30 * second }, { duration: 600 * second, isLoadBad: true }, { duration: 300 * second }],
  },
  new_superuser: {
    about:
      'Logins fail, a user becomes superuser, and a group gets the privilege to drop graphs; both are revoked ten minutes later.',
    phases: [{ duration: 30 * second }, { duration: 600 * second, isIntruded: true }, { duration: 300 * second }],
  },
  bad_server: {
    about: 'Every known server fault in turn, 10 s each.',
    phases: faultNames.map((fault) => ({ duration: 10 * second, fault })),
  },
};

function runaway(host: HostNumber, query: string): Runaway {
  return { host, query };
}

function restart(
  service: string,
  on: HostNumber,
  times: { readonly down: Millis; readonly starting: Millis; readonly warmup: Millis },
): readonly Phase[] {
  return [
    { duration: times.down, statuses: [{ service, on, status: 'Down' }] },
    { duration: times.starting, statuses: [{ service, on, status: 'Starting' }] },
    { duration: times.warmup, statuses: [{ service, on, status: 'Warmup' }] },
  ];
}

function recovery(on: HostNumber): readonly Phase[] {
  const engines = ['GPE', 'GSE'];
  return [
    { duration: 15 * second, statuses: engines.map((service) => ({ service, on, status: 'Starting' })) },
    { duration: 25 * second, statuses: [{ service: 'GPE', on, status: 'Warmup' }] },
  ];
}
