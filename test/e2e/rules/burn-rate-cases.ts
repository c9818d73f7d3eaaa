import { type RuleCase, type SeriesSet, type SeriesValues, shortOutage } from './rule-case.ts';
import { here } from './service-cases.ts';

const endpoint = 'cluster_name="prod",node="m1",graph="fraud",method="GET",path="/query/fraud/ring_scan"';
const partition = 'cluster_name="prod",service_name="GPE",partition="1"';
const partitionOf = { cluster_name: 'prod', service_name: 'GPE', partition: '1', ...here };

/** Of so many requests a minute so many ran out of time. */
function late(timeouts: SeriesValues, completed: SeriesValues): SeriesSet {
  return {
    'graphwarden_collector_success{cluster_name="prod",node="m1",collector="statistics"}': 1,
    [`graphdb_endpoint_recent_requests{${endpoint},outcome="completed"}`]: completed,
    [`graphdb_endpoint_recent_requests{${endpoint},outcome="timeout"}`]: timeouts,
  };
}

const ofTenThousand = (timeouts: number): SeriesSet => late(timeouts, 10_000 - timeouts);
const noRequests = late(0, 0);
/** One request an hour, and it runs out of time. */
const fewUsers = late((sample) => (sample % 240 < 4 ? 1 : 0), 0);

/** A request every three minutes, and one of the first is late: next to nothing, of a history that has only begun. */
const firstFew = late(
  (sample) => (sample === 6 ? 1 : 0),
  (sample) => (sample % 3 === 0 ? 1 : 0),
);

function online(replicas: SeriesValues): SeriesSet {
  return {
    [`graphdb_partition_online_replicas{${partition}}`]: replicas,
    [`graphdb_service_flapping{${partition},replica="1"}`]: 0,
  };
}

/** In minutes, but for what is said otherwise. */
interface Speed {
  readonly severity: string;
  readonly long: string;
  readonly short: string;
  /** Of ten thousand requests those that are just not too many. */
  readonly late: number;
  /** Samples of an outage that is just not too long. */
  readonly outage: number;
  readonly window: number;
  readonly before: number;
  readonly firesWithin: number;
  readonly resolvesWithin: number;
  readonly every: number;
  readonly isCampaignOnly?: boolean;
}

const page = { severity: 'critical' } as const;
const ticket = { severity: 'warning' } as const;
const hour = { long: '1h', short: '5m', late: 142, outage: 3, window: 60, every: 15 };
const shift = { long: '6h', short: '30m', late: 59, outage: 2, window: 360, every: 60, isCampaignOnly: true } as const;
const day = { long: '1d', short: '2h', late: 29, outage: 1, window: 1440, every: 240, isCampaignOnly: true } as const;
const threeDays = {
  long: '3d',
  short: '6h',
  late: 9,
  outage: 1,
  window: 4320,
  every: 240,
  isCampaignOnly: true,
} as const;

/** It burns ten times as fast as would do, so that it does not take days. */
const speeds: readonly Speed[] = [
  { ...page, ...hour, before: 60, firesWithin: 12, resolvesWithin: 7 },
  { ...page, ...shift, before: 360, firesWithin: 60, resolvesWithin: 32 },
  { ...ticket, ...day, before: 1440, firesWithin: 230, resolvesWithin: 124 },
  { ...ticket, ...threeDays, before: 4320, firesWithin: 720, resolvesWithin: 364 },
];

/** The error budgets, each at its four speeds. */
export const burnRateCases: readonly RuleCase[] = speeds.flatMap(
  ({ severity, long, short, late: few, outage, window, ...times }): readonly RuleCase[] => {
    const nearMissTimes = { nearAfter: window + 10, nearFor: window + 10 };
    const requests = {
      alert: 'GraphdbEndpointSuccessBurning',
      labels: { severity, long, short, cluster_name: 'prod', ...here },
      bad: ofTenThousand(10 * few),
      ...times,
    };
    const partitionOutage = {
      alert: 'GraphdbPartitionAvailabilityBurning',
      labels: { severity, long, short, ...partitionOf },
      healthy: online(2),
      bad: online(0),
      ...times,
    };
    // The data is younger than the long window: of a new cluster, or a new Prometheus.
    const young = { nearAfter: 1, nearFor: window - 10 };
    return [
      { ...requests, healthy: ofTenThousand(0), nearMiss: ofTenThousand(few), ...nearMissTimes },
      ...(window <= 360
        ? [{ ...requests, healthy: ofTenThousand(0), nearMiss: ofTenThousand(10 * few), ...young }]
        : []),
      ...(long === '1h' ? [{ ...requests, healthy: noRequests, nearMiss: fewUsers, ...nearMissTimes }] : []),
      ...(long === '6h'
        ? [{ ...requests, healthy: noRequests, nearMiss: firstFew, nearAfter: 1, nearFor: 30, isCampaignOnly: false }]
        : []),
      { ...partitionOutage, nearMiss: online(shortOutage(outage, 0, 2)), ...nearMissTimes },
      ...(window <= 360 ? [{ ...partitionOutage, nearMiss: online(shortOutage(10 * outage, 0, 2)), ...young }] : []),
    ];
  },
);
