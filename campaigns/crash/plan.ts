import type { Random } from '../../src/kernel/system.ts';
import type { Millis } from '../../src/kernel/time.ts';
import type { ServiceStatus } from '../../src/model/service.ts';
import type { FixedBehavior, ReceiverBehavior } from '../../src/simulator/receivers/receiver-behavior.ts';
import { seededRandom } from '../../src/simulator/seeded-random.ts';
import { type Obstacle, obstacles } from './faulty-folder.ts';

/** Moments that a kill waits for. */
export const moments = ['time', 'write', 'send', 'acknowledge'] as const;

/** One of {@link moments}: a random time, a changed poll result, the arrival of a notification, a sent response. */
export type Moment = (typeof moments)[number];

/** Time of a kill: `after` ms after the `nth` moment of its kind in the daemon run. */
export interface Kill {
  readonly moment: Moment;
  readonly nth: number;
  readonly after: Millis;
}

/** Service instance that changes its status. */
export interface Instance {
  readonly service: string;
  readonly partition: string;
  readonly replica: string;
}

/** Status change of one instance, `after` ms after the previous one. */
export interface Change {
  readonly instance: Instance;
  readonly status: ServiceStatus;
  readonly after: Millis;
}

/** Random decisions of one scenario. The same seed gives the same decisions. */
export interface RandomPlan {
  nextKill(): Kill;
  nextChange(): Change;
  /** Time between two daemon runs. */
  pause(): Millis;
  receiverBehavior(): ReceiverBehavior;
  nextDiskFault(): DiskFault | undefined;
  nextReload(): ReceiverChange | undefined;
}

/** Absence of the state directory: from the start of a daemon, or from `after` ms later. */
export interface DiskFault {
  readonly obstacle: Obstacle;
  /** Delay after the start of the daemon; 0 means before the start. */
  readonly after: Millis;
  readonly length: Millis;
}

/** Change of the configured receivers. */
export interface ReceiverChange {
  readonly change: 'remove' | 'rename';
  readonly receiver: string;
}

/** Instances on which no other service of the simulated cluster depends. */
export const instances: readonly Instance[] = [
  { service: 'GPE', partition: '1', replica: '1' },
  { service: 'GPE', partition: '1', replica: '2' },
  { service: 'KAFKA', partition: '', replica: '1' },
];

/**
 * Behavior of receivers: rejections with and without Retry-After, lost responses, timeouts, and slow responses.
 */
const receiverFaults: readonly FixedBehavior[] = [
  { kind: 'refuse', status: 500 },
  { kind: 'refuse', status: 503, retryAfter: '1' },
  { kind: 'refuse', status: 429, retryAfter: '1' },
  { kind: 'drop', isAccepted: true },
  { kind: 'drop', isAccepted: false },
  { kind: 'hang', isAccepted: true },
  { kind: 'hang', isAccepted: false },
  { kind: 'slow', by: 40 },
  { kind: 'slow', by: 250 },
  { kind: 'slow', by: 250 },
];
const alternativeFaults: readonly FixedBehavior[] = [...receiverFaults, { kind: 'refuse', status: 404 }];

/** Receivers that reloads change; the one with digests stays, because the oracle compares the others with it. */
const changedReceivers = ['oncall', 'hook', 'am'] as const;

/** Most kills aim at a moment: a crash at a random time mostly hits a daemon that waits. */
const momentsByWeight: readonly Moment[] = ['time', 'write', 'write', 'send', 'send', 'acknowledge', 'acknowledge'];
const maxRunDuration: Millis = 2000;
/** Time in which the daemon polls, stores, sends and stores the result. */
const shortDelay: Millis = 25;
const unhealthyStatuses: readonly ServiceStatus[] = ['Down', 'Offline', 'StatusUnknown'];

/** Returns the random plan of a seed; `hasFaults` adds disk faults and reloads that change receivers. */
export function createPlan(seed: number, hasFaults: boolean): RandomPlan {
  const random = seededRandom(seed);
  const between = (least: number, most: number): number => least + random.next() * (most - least);
  return {
    nextKill() {
      const moment = pickOne(momentsByWeight, random);
      if (moment === 'time') return { moment, nth: 1, after: between(0, maxRunDuration) };
      // A third of the kills have no delay after the moment.
      const after = random.next() < 1 / 3 ? 0 : between(0, shortDelay);
      return { moment, nth: 1 + Math.floor(between(0, 4)), after };
    },
    nextChange() {
      const instance = pickOne(instances, random);
      const status = random.next() < 0.5 ? 'Online' : pickOne(unhealthyStatuses, random);
      return { instance, status, after: random.next() < 0.2 ? between(600, 1200) : between(20, 400) };
    },
    nextDiskFault() {
      if (!hasFaults || random.next() < 0.6) return undefined;
      const after = random.next() < 0.6 ? 0 : between(300, 1000);
      return { obstacle: pickOne(obstacles, random), after, length: between(200, 2000) };
    },
    nextReload() {
      if (!hasFaults || random.next() < 0.5) return undefined;
      return { change: random.next() < 0.5 ? 'remove' : 'rename', receiver: pickOne(changedReceivers, random) };
    },
    pause: () => (random.next() < 0.5 ? 0 : between(0, 600)),
    receiverBehavior: () => ({
      kind: 'random',
      seed: Math.floor(random.next() * 2 ** 31),
      chance: between(0.1, 0.6),
      of: random.next() < 0.2 ? alternativeFaults : receiverFaults,
    }),
  };
}

function pickOne<T>(list: readonly T[], random: Random): T {
  const chosen = list[Math.floor(random.next() * list.length)];
  if (chosen === undefined) throw new Error('nothing to choose from');
  return chosen;
}
