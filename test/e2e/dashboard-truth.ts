import { instanceName } from '../../src/model/instance-name.ts';
import type { GroundTruth } from '../../src/simulator/ground-truth.ts';
import { eventually } from '../support/child.ts';
import type { Prometheus } from '../support/prometheus.ts';
import type { DashboardDaemon } from './dashboard-daemons.ts';
import { longestInterval, scrapeInterval } from './dashboard-settings.ts';

/** True state of the clusters of a daemon over time. */
export interface TruthLog {
  /** The statuses that an instance had around a time in ms, the last ones first; empty if it is not known. */
  statuses(labels: Labels, at: number): readonly string[];
  /** Whether a node accepted connections around a time; both if that changed. */
  reachable(labels: Labels, at: number): readonly boolean[];
  /** Instances that had one status for long, and are not online: `cluster instance status`. */
  lastingProblems(at: number): readonly string[];
  /** The numbers of nodes that did not accept connections around a time, over all clusters that are given. */
  unreachableNodes(cluster: string | undefined, at: number): readonly number[];
  /** Notes that the daemon's clock was set forward: until the next polls, its answers are too old, and no node is up. */
  noteClockChange(): void;
  /** Ends the log. On a busy machine, panels showed a change up to `lag` ms later than they could. */
  stop(lag: number): void;
}

type Labels = Readonly<Record<string, string>>;

interface Moment {
  readonly at: number;
  readonly truths: ReadonlyMap<string, Pick<GroundTruth, 'services' | 'nodes'>>;
}

/** From a change until a panel shows it: the longest interval of a poll, of a scrape and of the graph, with time to spare. */
const usualDelay = 12_000;

/** True state of the scenario `calm`. */
export const calmTruth: TruthLog = {
  statuses: () => ['Online'],
  reachable: () => [true],
  lastingProblems: () => [],
  unreachableNodes: () => [0],
  noteClockChange: () => {},
  stop: () => {},
};

/** Notes several times a second what is true. */
export function logTruth({ clusters }: Pick<DashboardDaemon, 'clusters'>): TruthLog {
  const moments: Moment[] = [];
  const clockChanges: number[] = [];
  let delay = usualDelay;
  const note = (): void => {
    const truths = [...clusters].map(([name, simulator]) => {
      const { services, nodes } = simulator.truth();
      return [name, { services, nodes }] as const;
    });
    moments.push({ at: Date.now(), truths: new Map(truths) });
  };
  note();
  const timer = setInterval(note, 500);
  const isAround = (time: number, at: number): boolean => time > at - delay && time < at + 500;
  const around = (at: number): readonly Moment[] => moments.filter((one) => isAround(one.at, at));
  const isTooOld = (at: number): boolean => clockChanges.some((time) => isAround(time, at));
  return {
    statuses: (labels, at) => around(at).flatMap(({ truths }) => statusOf(truths, labels)),
    reachable: (labels, at) =>
      around(at).flatMap(({ truths }) =>
        (truths.get(labels.cluster_name ?? '')?.nodes ?? [])
          .filter(({ node }) => node === labels.node)
          .flatMap(({ up }) => (isTooOld(at) ? [up, false] : [up])),
      ),
    lastingProblems: (at) => {
      const seen = around(at).map(({ truths }) => new Set(troublesOf(truths)));
      return [...(seen.at(-1) ?? [])].filter((problem) => seen.every((one) => one.has(problem)));
    },
    unreachableNodes: (cluster, at) =>
      (clusters.size === 0 ? [] : around(at)).flatMap(({ truths }) => {
        const nodes = [...truths].flatMap(([name, one]) =>
          cluster === undefined || name === cluster ? one.nodes : [],
        );
        const count = nodes.filter(({ up }) => !up).length;
        return isTooOld(at)
          ? [count, ...nodes.keys().map((index) => index + 1)].filter((one) => one >= count)
          : [count];
      }),
    noteClockChange: () => void clockChanges.push(Date.now()),
    stop: (lag) => {
      clearInterval(timer);
      delay += lag;
    },
  };
}

/** Ends a log, which then accepts what a panel can show on a busy machine. */
export async function endLog(truth: TruthLog, prometheus: Pick<Prometheus, 'query'>): Promise<TruthLog> {
  truth.stop(await longestLag(prometheus));
  return withLateAnswers(truth, await lateNodes(prometheus));
}

/** Returns the nodes that accepted a connection and failed the health check all the same, as labels. */
async function lateNodes(prometheus: Pick<Prometheus, 'query'>): Promise<readonly Labels[]> {
  const wrong = 'graphwarden_collector_failures_total{collector="health", reason!="unreachable"} > 0';
  return (await prometheus.query(`sum by (cluster_name, node) (${wrong})`)).map(({ labels }) => labels);
}

/** Returns a time in s at which the latest poll of the services had succeeded. The status of a service is absent otherwise. */
export async function timeOfStatuses(prometheus: Pick<Prometheus, 'query' | 'scraped'>): Promise<number> {
  const probe = async (): Promise<number | undefined> => {
    await prometheus.scraped();
    const time = Date.now() / 1000;
    // Scrapes that began before this time are stored then.
    await prometheus.scraped();
    // The server of the scenario `bad_server` answers wrongly all the time.
    const success = `graphwarden_collector_success{collector="services", cluster_name!="bad"} @ ${time}`;
    // A status that is too old is not on the page, although its poll succeeded: after the clock was set forward, all are.
    const isStale = `${success} unless on (job, cluster_name) graphdb_service_status_code @ ${time}`;
    return (await prometheus.query(`(${success} == 0) or (${isStale})`)).length === 0 ? time : undefined;
  };
  return eventually('the status of all services is known', probe, 300_000);
}

/** Returns by how many ms Prometheus was behind good servers at most, beyond what the intervals of polls and scrapes allow. */
async function longestLag(prometheus: Pick<Prometheus, 'query'>): Promise<number> {
  const good = '{job="incidents", collector="services", cluster_name!="bad"}';
  const age = `time() - (graphwarden_collector_last_success_timestamp_seconds${good} > 0)`;
  const [found] = await prometheus.query(`max(max_over_time((${age})[10m:1s]))`);
  return Math.max(0, (found?.value ?? 0) * 1000 - longestInterval - scrapeInterval);
}

function troublesOf(truths: Moment['truths']): readonly string[] {
  return [...truths].flatMap(([name, { services }]) =>
    services
      .filter(({ status }) => status !== 'Online')
      .map((service) => `${name} ${instanceName(service)} ${service.status}`),
  );
}

function statusOf(truths: Moment['truths'], labels: Labels): readonly string[] {
  const services = truths.get(labels.cluster_name ?? '')?.services ?? [];
  const { service_name: service, partition = '', replica = '' } = labels;
  return services
    .filter((one) => one.service === service && one.partition === partition && one.replica === replica)
    .map(({ status }) => status);
}

/**
 * Accepts both answers for nodes that accepted a connection and failed the health check all the same: a server with
 * faults gives a wrong answer or none, and on a busy machine a node that is there can answer too late.
 */
function withLateAnswers(truth: TruthLog, late: readonly Labels[]): TruthLog {
  const isLate = ({ cluster_name, node }: Labels): boolean =>
    late.some((one) => one.cluster_name === cluster_name && one.node === node);
  const lateCount = (cluster: string | undefined): number =>
    new Set(
      late.filter((one) => cluster === undefined || one.cluster_name === cluster).map((one) => JSON.stringify(one)),
    ).size;
  return {
    ...truth,
    reachable: (labels, at) => (isLate(labels) ? [true, false] : truth.reachable(labels, at)),
    unreachableNodes: (cluster, at) =>
      truth
        .unreachableNodes(cluster, at)
        .flatMap((count) => Array.from({ length: lateCount(cluster) + 1 }, (_, more) => count + more)),
  };
}
