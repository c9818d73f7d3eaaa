import { simulatedReceiverApis } from '../../src/notify/receivers/all.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import type { ReceivedRequest } from '../../src/simulator/receivers/received-request.ts';
import { type SimulatedReceivers, startReceivers } from '../../src/simulator/receivers/receivers.ts';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts';
import {
  type DaemonRun,
  type DiskAbsence,
  type Disturbance,
  instanceOf,
  type LoggedNotification,
  type ReceiverReload,
  type StatusReply,
} from './evidence.ts';
import { observeListener, type RequestObserver, statusesIn } from './observed-listener.ts';
import { type Instance, instances, type Moment, type RandomPlan } from './plan.ts';
import { receiverOptions } from './settings.ts';

/** Time in ms after which the daemon may have stopped waiting for a response. */
const shortestTimeout = 100;

/** Simulated cluster and receivers of one scenario, in this process, with their logs. */
export class TestEnvironment {
  readonly simulator: Simulator;
  readonly receivers: SimulatedReceivers;
  readonly runs: DaemonRun[] = [];
  readonly disturbances: Disturbance[] = [];
  readonly #log: EnvironmentLog;
  readonly #statuses = new Map<string, string>(instances.map((one) => [nameOf(one), 'Online']));

  /** Starts the environment. It calls `onMoment` synchronously for each moment, before any other handler runs. */
  static async start(onMoment: (moment: Moment) => void): Promise<TestEnvironment> {
    const log = new EnvironmentLog(onMoment);
    const ports = { listen, clock: systemClock };
    const simulator = await startSimulator({ nodes: 2 }, { ...ports, listen: observeListener(listen, log.cluster) });
    const receivers = await startReceivers(
      receiverOptions,
      { ...ports, listen: observeListener(listen, log.receivers), apis: simulatedReceiverApis },
      (notification) => log.endTimes.set(notification, Date.now()),
    );
    return new TestEnvironment(simulator, receivers, log);
  }

  private constructor(simulator: Simulator, receivers: SimulatedReceivers, log: EnvironmentLog) {
    this.simulator = simulator;
    this.receivers = receivers;
    this.#log = log;
  }

  /** Responses of the cluster, in the order of their requests. */
  get statusReplies(): readonly StatusReply[] {
    return this.#log.statusReplies.toSorted((one, other) => one.requestedAt - other.requestedAt);
  }

  /** Notifications in the order in which the receivers logged them. */
  get notifications(): readonly LoggedNotification[] {
    return this.receivers.requests().map((notification) => {
      const endedAt = this.#log.endTimes.get(notification);
      return endedAt === undefined ? notification : { ...notification, endedAt };
    });
  }

  /** Records the start of a daemon run. */
  startRun(): void {
    this.runs.push({ from: Date.now() });
    this.#log.run = this.runs.length - 1;
  }

  /** Records that the daemon was killed. */
  endRun(): void {
    const run = this.runs.pop();
    if (run !== undefined) this.runs.push({ ...run, killedAt: Date.now() });
  }

  /** Changes instances by the random plan until the signal aborts. */
  async changeStatuses(plan: RandomPlan, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const { instance, status, after } = plan.nextChange();
      await systemClock.sleep(after, signal);
      if (!signal.aborted) this.#setStatus(instance, status);
    }
  }

  /** Sets all service instances to healthy. */
  recover(): void {
    for (const instance of instances) this.#setStatus(instance, 'Online');
  }

  /** Returns the instances that are not online, sorted by name. */
  unhealthyInstances(): readonly string[] {
    return [...this.#statuses]
      .filter(([, status]) => status !== 'Online')
      .map(([name]) => name)
      .toSorted();
  }

  /** Sets the faults of receivers by the random plan; without a plan, they do not fail. */
  setReceiverBehavior(plan?: RandomPlan): void {
    for (const { name } of receiverOptions)
      this.receivers.setBehavior(name, plan?.receiverBehavior() ?? { kind: 'healthy' });
  }

  /** Records an absence of the state directory, or a reload that changed a receiver, which ends now. */
  recordDisturbance(disturbance: Omit<DiskAbsence, 'until'> | Omit<ReceiverReload, 'until'>): void {
    this.disturbances.push({ ...disturbance, until: Date.now() });
  }

  async close(): Promise<void> {
    await Promise.all([this.simulator.close(), this.receivers.close()]);
  }

  #setStatus(
    { service, partition, replica }: Instance,
    status: Parameters<Simulator['control']['setService']>[3],
  ): void {
    this.simulator.control.setService(service, partition, replica, status);
    this.#statuses.set(instanceOf(service, partition, replica), status);
  }
}

/** Returns the name of an instance. */
export function nameOf({ service, partition, replica }: Instance): string {
  return instanceOf(service, partition, replica);
}

/** Log of the requests that the simulated cluster and receivers of one environment get. */
class EnvironmentLog {
  run = 0;
  readonly statusReplies: StatusReply[] = [];
  readonly endTimes = new Map<ReceivedRequest, number>();
  readonly #onMoment: (moment: Moment) => void;
  #last = '';

  constructor(onMoment: (moment: Moment) => void) {
    this.#onMoment = onMoment;
  }

  readonly cluster: RequestObserver = {
    onRequest: (request, node) => {
      const [requestedAt, run] = [Date.now(), this.run];
      return (reply, whole) => {
        const statuses = statusesIn(request, reply);
        const sentAt = Date.now();
        if (statuses === undefined || !whole || sentAt - requestedAt > shortestTimeout) return;
        this.statusReplies.push({ run, node, requestedAt, sentAt, statuses });
        this.#recordChange(statuses);
      };
    },
  };

  readonly receivers: RequestObserver = {
    onRequest: () => {
      this.#onMoment('send');
      return ({ status }, whole) => {
        if (whole && status < 300) this.#onMoment('acknowledge');
      };
    },
  };

  #recordChange(statuses: StatusReply['statuses']): void {
    const now = JSON.stringify(instances.map((one) => statuses.get(nameOf(one))));
    if (now !== this.#last) this.#onMoment('write');
    this.#last = now;
  }
}
