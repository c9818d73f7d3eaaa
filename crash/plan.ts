import type { Random } from '../src/kernel/system.ts';
import type { Millis } from '../src/kernel/time.ts';
import type { ServiceStatus } from '../src/model/service.ts';
import { seededRandom } from '../src/simulator/chance.ts';
import type { Manner, SimpleManner } from '../src/simulator/receivers/manner.ts';

/** What a kill waits for. */
export const moments = ['time', 'write', 'send', 'acknowledge'] as const;

/** One of {@link moments}: time alone, a reading with a change, a letter that arrives, an answer that leaves. */
export type Moment = (typeof moments)[number];

/** When a daemon is killed: so long after the `nth` such moment of its life. */
export interface Kill {
  readonly moment: Moment;
  readonly nth: number;
  readonly after: Millis;
}

/** One service instance that goes down and comes back. */
export interface Instance {
  readonly service: string;
  readonly partition: string;
  readonly replica: string;
}

/** A change of one instance, so long after the last one. */
export interface Change {
  readonly instance: Instance;
  readonly status: ServiceStatus;
  readonly after: Millis;
}

/** Chance that all decisions of one scene come from: the same seed gives the same decisions. */
export interface Fate {
  nextKill(): Kill;
  nextChange(): Change;
  /** Time without a daemon. */
  pause(): Millis;
  manner(): Manner;
}

/** Instances that nothing else in the simulated cluster depends on. */
export const instances: readonly Instance[] = [
  { service: 'GPE', partition: '1', replica: '1' },
  { service: 'GPE', partition: '1', replica: '2' },
  { service: 'KAFKA', partition: '', replica: '1' },
];

/** How receivers fail: refusing, with and without a word about when, losing their own answers, hanging, and just slowly. */
const troubles: readonly SimpleManner[] = [
  { kind: 'refuse', status: 500 },
  { kind: 'refuse', status: 503, retryAfter: '1' },
  { kind: 'refuse', status: 429, retryAfter: '1' },
  { kind: 'drop', taken: true },
  { kind: 'drop', taken: false },
  { kind: 'hang', taken: true },
  { kind: 'hang', taken: false },
  { kind: 'slow', by: 40 },
  { kind: 'slow', by: 250 },
  { kind: 'slow', by: 250 },
];
const brokenToo: readonly SimpleManner[] = [...troubles, { kind: 'refuse', status: 404 }];

/** Most kills aim at a moment: a crash at a random time mostly hits a daemon that waits. */
const momentsByWeight: readonly Moment[] = ['time', 'write', 'write', 'send', 'send', 'acknowledge', 'acknowledge'];
const longestLife: Millis = 2000;
/** Reading, storing, sending and storing again follow each other within so much. */
const closely: Millis = 25;
const bad: readonly ServiceStatus[] = ['Down', 'Offline', 'StatusUnknown'];

/** The fate that a seed stands for. */
export function fateOf(seed: number): Fate {
  const random = seededRandom(seed);
  const between = (least: number, most: number): number => least + random.next() * (most - least);
  return {
    nextKill() {
      const moment = oneOf(momentsByWeight, random);
      if (moment === 'time') return { moment, nth: 1, after: between(0, longestLife) };
      // A third of the kills come at the very moment.
      const after = random.next() < 1 / 3 ? 0 : between(0, closely);
      return { moment, nth: 1 + Math.floor(between(0, 4)), after };
    },
    nextChange() {
      const instance = oneOf(instances, random);
      const status = random.next() < 0.5 ? 'Online' : oneOf(bad, random);
      return { instance, status, after: random.next() < 0.2 ? between(600, 1200) : between(20, 400) };
    },
    pause: () => (random.next() < 0.5 ? 0 : between(0, 600)),
    manner: () => ({
      kind: 'random',
      seed: Math.floor(random.next() * 2 ** 31),
      chance: between(0.1, 0.6),
      of: random.next() < 0.2 ? brokenToo : troubles,
    }),
  };
}

function oneOf<T>(list: readonly T[], random: Random): T {
  const chosen = list[Math.floor(random.next() * list.length)];
  if (chosen === undefined) throw new Error('nothing to choose from');
  return chosen;
}
