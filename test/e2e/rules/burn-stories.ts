import { here } from './service-stories.ts';
import { blip, type Course, type Scene, type Story } from './story.ts';

const endpoint = 'cluster_name="prod",node="m1",graph="fraud",method="GET",path="/query/fraud/ring_scan"';
const partition = 'cluster_name="prod",service_name="GPE",partition="1"';
const partitionOf = { cluster_name: 'prod', service_name: 'GPE', partition: '1', ...here };

/** Of ten thousand requests a minute so many ran out of time. */
function late(timeouts: Course): Scene {
  return {
    'graphwarden_collector_success{cluster_name="prod",node="m1",collector="statistics"}': 1,
    [`graphdb_endpoint_window_requests{${endpoint},outcome="completed"}`]: 10_000,
    [`graphdb_endpoint_window_requests{${endpoint},outcome="timeout"}`]: timeouts,
  };
}

/** One request an hour, and it runs out of time. */
const hardlyAnybody: Scene = {
  ...late(0),
  [`graphdb_endpoint_window_requests{${endpoint},outcome="completed"}`]: 0,
  [`graphdb_endpoint_window_requests{${endpoint},outcome="timeout"}`]: (sample) => (sample % 240 < 4 ? 1 : 0),
};

function online(replicas: Course): Scene {
  return {
    [`graphdb_partition_online_replicas{${partition}}`]: replicas,
    [`graphdb_service_transitions_total{${partition},replica="1",to="Down"}`]: 0,
  };
}

interface Speed {
  readonly severity: string;
  readonly long: string;
  readonly short: string;
  /** Of ten thousand requests, those that are too many by little, and too few by little. */
  readonly requests: readonly [tooMany: number, tooFew: number];
  /** Samples of an outage that is just not long enough. */
  readonly outage: number;
  readonly before: number;
  readonly firesWithin: number;
  readonly resolvesWithin: number;
  readonly every: number;
}

const speeds: readonly Speed[] = [
  {
    severity: 'critical',
    long: '1h',
    short: '5m',
    requests: [146, 142],
    outage: 3,
    before: 65,
    firesWithin: 65,
    resolvesWithin: 6,
    every: 15,
  },
  {
    severity: 'critical',
    long: '6h',
    short: '30m',
    requests: [61, 59],
    outage: 2,
    before: 365,
    firesWithin: 380,
    resolvesWithin: 32,
    every: 60,
  },
  {
    severity: 'warning',
    long: '1d',
    short: '2h',
    requests: [31, 29],
    outage: 1,
    before: 1450,
    firesWithin: 1510,
    resolvesWithin: 124,
    every: 240,
  },
  {
    severity: 'warning',
    long: '3d',
    short: '6h',
    requests: [11, 9],
    outage: 1,
    before: 4330,
    firesWithin: 4510,
    resolvesWithin: 364,
    every: 240,
  },
];

/** The error budgets, each at its four speeds. */
export const burnStories: readonly Story[] = speeds.flatMap(
  ({ severity, long, short, requests: [tooMany, tooFew], outage, ...times }): readonly Story[] => [
    {
      alert: 'GraphdbEndpointSuccessBurning',
      labels: { severity, long, short, cluster_name: 'prod', ...here },
      well: late(0),
      bad: late(tooMany),
      near: late(tooFew),
      elsewhere: long === '1h' ? [hardlyAnybody] : [],
      ...times,
    },
    {
      alert: 'GraphdbPartitionAvailabilityBurning',
      labels: { severity, long, short, ...partitionOf },
      well: online(2),
      bad: online(0),
      near: online(blip(outage, 0, 2)),
      ...times,
    },
  ],
);
