import { simulatedReceiverApis } from '../../src/notify/receivers/all.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import type { ReceivedRequest } from '../../src/simulator/receivers/received-request.ts';
import { type SimulatedReceivers, startReceivers } from '../../src/simulator/receivers/receivers.ts';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts';
import { type DaemonRun, instanceOf, type LoggedNotification, type StatusReply } from './evidence.ts';
import { observeListener, type RequestObserver, statusesIn } from './observed-listener.ts';
import { type Instance, instances, type Moment, type RandomPlan } from './plan.ts';
import { receiverOptions } from './settings.ts';

/** Time in ms after which the daemon may have stopped waiting for a response. */
const promptReply = 100;

/** Simulated cluster and receivers of one scenario, in this process, with their logs. */
export class TestEnvironment {
  readonly simulator: Simulator;
  readonly receivers: SimulatedReceivers;
  readonly runs: DaemonRun[] = [];
  readonly #log: EnvironmentLog;
  readonly #statuses = new Map<string, string>(instances.map((one) => [nameOf(one), 'Online']));

  /** Starts the environment. It calls `happened` synchronously for each moment, before any other handler runs. */
  static async set(happened: (moment: Moment) => void): Promise<TestEnvironment> {
    const log = new EnvironmentLog(happened);
    const ports = { listen, clock: systemClock };
    const simulator = await startSimulator({ nodes: 2 }, { ...ports, listen: observeListener(listen, log.cluster) });
    const receivers = await startReceivers(
      receiverOptions,
      { ...ports, listen: observeListener(listen, log.receivers), apis: simulatedReceiverApis },
      (notification) => log.ended.set(notification, Date.now()),
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
    return this.#log.readings.toSorted((one, other) => one.askedAt - other.askedAt);
  }

  /** Notifications in the order in which the receivers logged them. */
  get notifications(): readonly LoggedNotification[] {
    return this.receivers.requests().map((notification) => {
      const endedAt = this.#log.ended.get(notification);
      return endedAt === undefined ? notification : { ...notification, endedAt };
    });
  }

  /** Records the start of a daemon run. */
  startRun(): void {
    this.runs.push({ from: Date.now() });
    this.#log.life = this.runs.length - 1;
  }

  /** Records that the daemon was killed. */
  endRun(): void {
    const life = this.runs.pop();
    if (life !== undefined) this.runs.push({ ...life, killedAt: Date.now() });
  }

  /** Changes instances as the random plan says, until the signal. */
  async changeStatuses(fate: RandomPlan, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const { instance, status, after } = fate.nextChange();
      await systemClock.sleep(after, signal);
      if (!signal.aborted) this.#set(instance, status);
    }
  }

  /** Sets all service instances to healthy. */
  recover(): void {
    for (const instance of instances) this.#set(instance, 'Online');
  }

  /** Returns the instances that are not online, sorted by name. */
  failReceiver(): readonly string[] {
    return [...this.#statuses]
      .filter(([, status]) => status !== 'Online')
      .map(([name]) => name)
      .toSorted();
  }

  /** Sets how receivers fail: as the random plan says, or not at all without a plan. */
  setManner(fate?: RandomPlan): void {
    for (const { name } of receiverOptions) this.receivers.setBehavior(name, fate?.manner() ?? { kind: 'healthy' });
  }

  async close(): Promise<void> {
    await Promise.all([this.simulator.close(), this.receivers.close()]);
  }

  #set({ service, partition, replica }: Instance, status: Parameters<Simulator['control']['setService']>[3]): void {
    this.simulator.control.setService(service, partition, replica, status);
    this.#statuses.set(instanceOf(service, partition, replica), status);
  }
}

/** Names of the instances that change. */
export function nameOf({ service, partition, replica }: Instance): string {
  return instanceOf(service, partition, replica);
}

/** Log of the requests that the simulated cluster and receivers of one environment get. */
class EnvironmentLog {
  life = 0;
  readonly readings: StatusReply[] = [];
  readonly ended = new Map<ReceivedRequest, number>();
  readonly #happened: (moment: Moment) => void;
  #last = '';

  constructor(happened: (moment: Moment) => void) {
    this.#happened = happened;
  }

  readonly cluster: RequestObserver = {
    arrived: (request, node) => {
      const [askedAt, run] = [Date.now(), this.life];
      return (reply, whole) => {
        const statuses = statusesIn(request, reply);
        const sentAt = Date.now();
        if (statuses === undefined || !whole || sentAt - askedAt > promptReply) return;
        this.readings.push({ run, node, askedAt, sentAt, statuses });
        this.#noteChange(statuses);
      };
    },
  };

  readonly receivers: RequestObserver = {
    arrived: () => {
      this.#happened('send');
      return ({ status }, whole) => {
        if (whole && status < 300) this.#happened('acknowledge');
      };
    },
  };

  #noteChange(statuses: StatusReply['statuses']): void {
    const now = JSON.stringify(instances.map((one) => statuses.get(nameOf(one))));
    if (now !== this.#last) this.#happened('write');
    this.#last = now;
  }
}
