import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { IncomingRequest } from '../../src/kernel/listener.ts';
import { simulatedReceiverApis } from '../../src/notify/receivers/all.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import type { ReceivedRequest } from '../../src/simulator/receivers/received-request.ts';
import { type SimulatedReceivers, startReceivers } from '../../src/simulator/receivers/receivers.ts';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts';
import { observeListener, type RequestObserver } from '../crash/observed-listener.ts';
import type { LoggedNotification, LoggedRequest, Outage, StartedQuery } from './evidence.ts';
import type { RandomPlan } from './plan.ts';

const grantedTimeout = 3_600_000;
const pathOfAborts = '/abortquery/';

/** Moment at a simulated cluster or receiver that a fault waits for, and the replica that caused it. */
export interface EffectMoment {
  readonly kind: 'abort' | 'notification';
  readonly replica: number;
}

interface SimulatedCluster {
  readonly name: string;
  readonly simulator: Simulator;
}

/** Simulated clusters and the receiver of one scenario, in this process, with their logs. */
export class FailoverEnvironment {
  readonly requests: LoggedRequest[] = [];
  readonly notifications: LoggedNotification[] = [];
  readonly startedQueries: StartedQuery[] = [];
  readonly outages: Outage[] = [];
  readonly clusters: SimulatedCluster[] = [];
  #receivers: SimulatedReceivers | undefined;
  #onMoment: (moment: EffectMoment) => void = () => undefined;

  static async start(names: readonly string[]): Promise<FailoverEnvironment> {
    const environment = new FailoverEnvironment();
    for (const name of names) {
      const ports = { listen: observeListener(listen, environment.#observeCluster(name)), clock: systemClock };
      const simulator = await startSimulator({ nodes: 1, maxConcurrentQueries: 1000 }, ports);
      environment.clusters.push({ name, simulator });
    }
    const ports = { listen: observeListener(listen, environment.#observeReceiver), clock: systemClock };
    environment.#receivers = await startReceivers(
      [{ name: 'hook', kind: 'webhook' }],
      { ...ports, apis: simulatedReceiverApis },
      (request) => environment.#record(request),
    );
    return environment;
  }

  get receiverUrl(): string {
    return this.#receivers?.all[0]?.url ?? '';
  }

  /** Calls the listener at each abort request and notification, before it is answered. */
  onMoment(listener: (moment: EffectMoment) => void): void {
    this.#onMoment = listener;
  }

  /** Returns the time of the first poll of a cluster since `from`; undefined before it. */
  firstPoll(cluster: string, from: number): number | undefined {
    const index = this.requests.findLastIndex(({ at }) => at < from);
    return this.requests.slice(index + 1).find((one) => one.cluster === cluster && !isAbort(one))?.at;
  }

  /** Returns the longest time without a poll of a cluster, in ms. */
  longestGap(cluster: string, from: number, until: number): number {
    const polls = this.requests.filter((one) => one.cluster === cluster && !isAbort(one));
    const times = [from, ...polls.map(({ at }) => at).filter((at) => at > from && at < until), until];
    return Math.max(...times.slice(1).map((at, index) => at - (times[index] ?? at)));
  }

  /** Returns the number of clusters that each replica polled since `from`. */
  polledBy(from: number): ReadonlyMap<number, number> {
    const index = this.requests.findLastIndex(({ at }) => at < from);
    const pairs = new Set(this.requests.slice(index + 1).map(({ cluster, replica }) => `${replica} ${cluster}`));
    const counts = new Map<number, number>();
    for (const pair of pairs) counts.set(Number.parseInt(pair, 10), (counts.get(Number.parseInt(pair, 10)) ?? 0) + 1);
    return counts;
  }

  /** Starts queries and outages in each cluster until the signal; ends with all services online. */
  async injectFaults(plan: RandomPlan, signal: AbortSignal): Promise<void> {
    await Promise.all(
      this.clusters.flatMap((cluster) => [
        this.#startQueries(cluster, plan, signal),
        this.#playOutages(cluster, plan, signal),
        this.#flap(cluster, plan, signal),
      ]),
    );
  }

  async close(): Promise<void> {
    await Promise.all(this.clusters.map(({ simulator }) => simulator.close()));
    await this.#receivers?.close();
  }

  async #startQueries({ name, simulator }: SimulatedCluster, plan: RandomPlan, signal: AbortSignal): Promise<void> {
    const node = simulator.nodes[0]?.name ?? '';
    for (let number = 0; !signal.aborted; number += 1) {
      const { runsFor, after, outlivesAborts } = plan.nextQuery();
      // A breaker opens after a few aborts of one name, so each name is used for a few more queries than that. It does not protect
      // a query that outlives its abort, which has a name of its own.
      const group = outlivesAborts ? `stubborn_${number}` : `${Math.floor(number / 6)}`;
      const query = { query: `runaway_${name}_${group}`, graph: 'fraud' };
      await systemClock.sleep(after, signal);
      if (signal.aborted) return;
      const behavior = outlivesAborts ? { outlivesAborts } : {};
      const started = simulator.control.startQuery({ node, ...query, runsFor, timeout: grantedTimeout, ...behavior });
      if (started?.startedAt === undefined) continue;
      this.startedQueries.push({
        cluster: name,
        id: started.requestId,
        name: query.query,
        startedAt: started.startedAt,
      });
    }
  }

  async #playOutages({ name, simulator }: SimulatedCluster, plan: RandomPlan, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const { before, length } = plan.nextOutage();
      await systemClock.sleep(before, signal);
      if (signal.aborted) return;
      const [from, service] = [Date.now(), 'GPE'];
      simulator.control.setInstances(service, 'Down');
      // The end of the scenario does not shorten an outage, because a short one may not be noticed.
      await pause(length);
      simulator.control.setInstances(service, 'Online');
      this.outages.push({ cluster: name, service, from, until: Date.now() });
    }
  }

  /** Takes another service down for short times, so that there are notifications at any time. */
  async #flap({ simulator }: SimulatedCluster, plan: RandomPlan, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const { before, length } = plan.nextFlap();
      await systemClock.sleep(before, signal);
      simulator.control.setInstances('KAFKA', 'Down');
      await systemClock.sleep(length, signal);
      simulator.control.setInstances('KAFKA', 'Online');
    }
  }

  #observeCluster(cluster: string): RequestObserver {
    return {
      onRequest: (request) => {
        const replica = replicaOf(request);
        const logged: LoggedRequest = {
          cluster,
          replica,
          at: Date.now(),
          path: request.path,
          query: request.query.toString(),
        };
        this.requests.push(logged);
        if (isAbort(logged)) this.#onMoment({ kind: 'abort', replica });
        return () => undefined;
      },
    };
  }

  readonly #observeReceiver: RequestObserver = {
    onRequest: (request) => {
      this.#onMoment({ kind: 'notification', replica: replicaOf(request) });
      return () => undefined;
    },
  };

  /** Records the alerts of a request to the receiver. */
  #record(request: ReceivedRequest): void {
    const parsed = payload.safeParse(JSON.parse(request.body));
    for (const { labels, status, startsAt } of parsed.data?.alerts ?? []) {
      const { cluster_name: cluster = '', alertname = '', service_name: service = '' } = labels;
      const about = { replica: replicaOf(request), at: request.at, isAccepted: request.isAccepted };
      this.notifications.push({ ...about, cluster, alertname, service, status, startsAt });
    }
  }
}

const payload = z.object({
  alerts: z.array(
    z.object({
      status: z.enum(['firing', 'resolved']),
      labels: z.record(z.string(), z.string()),
      startsAt: z.string(),
    }),
  ),
});

/** Returns true if a request is an abort request. */
export function isAbort({ path }: Pick<LoggedRequest, 'path'>): boolean {
  return path.includes(pathOfAborts);
}

function replicaOf({ headers }: Pick<IncomingRequest, 'headers'>): number {
  return Number(headers['x-replica'] ?? Number.NaN);
}
