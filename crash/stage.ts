import { systemClock } from '../src/runtime/clock.ts';
import { listen } from '../src/runtime/listener.ts';
import type { ReceivedLetter } from '../src/simulator/receivers/letter.ts';
import { type Receivers, startReceivers } from '../src/simulator/receivers/receivers.ts';
import { type Simulator, startSimulator } from '../src/simulator/simulator.ts';
import { instanceOf, type Letter, type Life, type Reading } from './evidence.ts';
import { type Fate, type Instance, instances, type Moment } from './plan.ts';
import { cast } from './settings.ts';
import { statusesIn, type Witness, watched } from './witness.ts';

/** Longer than that the daemon may have stopped waiting for an answer. */
const promptly = 100;

/** The cluster and the receivers of one scene, in this process, with all that is logged of them. */
export class Stage {
  readonly simulator: Simulator;
  readonly receivers: Receivers;
  readonly lives: Life[] = [];
  readonly #log: StageLog;
  readonly #statuses = new Map<string, string>(instances.map((one) => [nameOf(one), 'Online']));

  /** `happened` is told of each moment at once, before anything else happens. */
  static async set(happened: (moment: Moment) => void): Promise<Stage> {
    const log = new StageLog(happened);
    const ports = { listen, clock: systemClock };
    const simulator = await startSimulator({ nodes: 2 }, { ...ports, listen: watched(listen, log.cluster) });
    const receivers = await startReceivers(cast, { ...ports, listen: watched(listen, log.receivers) }, (letter) =>
      log.ended.set(letter, Date.now()),
    );
    return new Stage(simulator, receivers, log);
  }

  private constructor(simulator: Simulator, receivers: Receivers, log: StageLog) {
    this.simulator = simulator;
    this.receivers = receivers;
    this.#log = log;
  }

  /** Answers of the cluster, in the order in which they were asked for. */
  get readings(): readonly Reading[] {
    return this.#log.readings.toSorted((one, other) => one.askedAt - other.askedAt);
  }

  /** Letters in the order in which they came. */
  get letters(): readonly Letter[] {
    return this.receivers.letters().map((letter) => {
      const endedAt = this.#log.ended.get(letter);
      return endedAt === undefined ? letter : { ...letter, endedAt };
    });
  }

  /** A daemon is about to begin. */
  beginLife(): void {
    this.lives.push({ from: Date.now() });
    this.#log.life = this.lives.length - 1;
  }

  /** It was killed just now. */
  endLife(): void {
    const life = this.lives.pop();
    if (life !== undefined) this.lives.push({ ...life, killedAt: Date.now() });
  }

  /** Changes instances as fate has it, until the signal. */
  async churn(fate: Fate, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const { instance, status, after } = fate.nextChange();
      await systemClock.sleep(after, signal);
      if (!signal.aborted) this.#set(instance, status);
    }
  }

  /** Everything is well again. */
  recover(): void {
    for (const instance of instances) this.#set(instance, 'Online');
  }

  /** The instances that are not online, in the order of their names. */
  troubled(): readonly string[] {
    return [...this.#statuses]
      .filter(([, status]) => status !== 'Online')
      .map(([name]) => name)
      .toSorted();
  }

  /** Receivers fail as fate has it; without one they are well. */
  manner(fate?: Fate): void {
    for (const { name } of cast) this.receivers.behave(name, fate?.manner() ?? { kind: 'healthy' });
  }

  async close(): Promise<void> {
    await Promise.all([this.simulator.close(), this.receivers.close()]);
  }

  #set({ service, partition, replica }: Instance, status: Parameters<Simulator['control']['setService']>[3]): void {
    this.simulator.control.setService(service, partition, replica, status);
    this.#statuses.set(instanceOf(service, partition, replica), status);
  }
}

/** The names of the instances that change. */
export function nameOf({ service, partition, replica }: Instance): string {
  return instanceOf(service, partition, replica);
}

/** What comes and goes at the doors of one stage. */
class StageLog {
  life = 0;
  readonly readings: Reading[] = [];
  readonly ended = new Map<ReceivedLetter, number>();
  readonly #happened: (moment: Moment) => void;
  #last = '';

  constructor(happened: (moment: Moment) => void) {
    this.#happened = happened;
  }

  readonly cluster: Witness = {
    arrived: (request, node) => {
      const [askedAt, life] = [Date.now(), this.life];
      return (reply, whole) => {
        const statuses = statusesIn(request, reply);
        const sentAt = Date.now();
        if (statuses === undefined || !whole || sentAt - askedAt > promptly) return;
        this.readings.push({ life, node, askedAt, sentAt, statuses });
        this.#noteChange(statuses);
      };
    },
  };

  readonly receivers: Witness = {
    arrived: () => {
      this.#happened('send');
      return ({ status }, whole) => {
        if (whole && status < 300) this.#happened('acknowledge');
      };
    },
  };

  #noteChange(statuses: Reading['statuses']): void {
    const now = JSON.stringify(instances.map((one) => statuses.get(nameOf(one))));
    if (now !== this.#last) this.#happened('write');
    this.#last = now;
  }
}
