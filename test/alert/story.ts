import { partitionWithoutOnlineReplica } from '../../src/alert/rules/partition-without-online-replica.ts';
import { serviceFlapping } from '../../src/alert/rules/service-flapping.ts';
import { serviceNotOnline } from '../../src/alert/rules/service-not-online.ts';
import { viewsOf } from '../../src/track/views.ts';
import { Tracking, told } from '../track/tracking.ts';
import { Bed, situationOf } from './alerting-bed.ts';

const rules = [serviceNotOnline, serviceFlapping, partitionWithoutOnlineReplica];

/** Readings in an hour. */
export const hour = 12 * 60;

/** A reading that failed everywhere. */
export const blind = '';

/** A service that the tracker follows and alerting hears of, each with its defaults. */
export class Story {
  readonly #tracking = new Tracking();
  readonly #bed = new Bed({ rules });
  readonly #others: readonly string[];

  /** `others`: the further replicas of its partition, which are online. */
  constructor(others: readonly string[]) {
    this.#others = others;
  }

  /** Readings, five seconds apart, with a look after each. */
  async read(...statuses: readonly string[]): Promise<void> {
    for (const status of statuses) {
      if (status === blind) this.#tracking.unable();
      else this.#tracking.answer([told(status), ...this.#others.map((replica) => told('Online', { replica }))]);
      const { replicas, partitions } = viewsOf(this.#tracking.state, 'prod');
      const blank = situationOf({ rules: {} });
      const collectors = blank.collectors.map((view) => ({ ...view, collector: 'services' }));
      await this.#bed.step({ kind: 'situation', situation: { ...blank, collectors, replicas, partitions } }, 5000);
    }
  }

  /** What was told, in order. */
  get said(): readonly string[] {
    return this.#bed.notices.map(({ kind, alert }) => `${kind} ${alert.rule}`);
  }

  /** What was told to have begun and not to be over. */
  get open(): readonly string[] {
    const over = new Set(this.#bed.notices.filter(({ kind }) => kind === 'resolve').map(({ alert }) => alert.episode));
    return this.#bed.notices.filter(({ alert }) => !over.has(alert.episode)).map(({ alert }) => alert.rule);
  }
}

/** Readings of a service that is down and well again by turns, so many of each. */
export function turns(down: number, up: number, readings: number): readonly string[] {
  return Array.from({ length: readings }, (_, at) => (at % (down + up) < down ? 'Down' : 'Online'));
}

const patterns = [1, 2, 3, 4, 5].flatMap((down) =>
  [1, 2, 3, 4, 5].filter((up) => down + up <= 6).map((up) => [down, up] as const),
);
const longer = [4, 5, 6].map((half) => [half, half] as const);
/** Every way to come and go within six readings, and some slower ones. */
export const all = [...patterns, ...longer];
