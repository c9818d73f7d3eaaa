import { describe, expect, it } from 'vitest';
import { partitionWithoutOnlineReplica } from '../../src/alert/rules/partition-without-online-replica.ts';
import { serviceFlapping } from '../../src/alert/rules/service-flapping.ts';
import { serviceNotOnline } from '../../src/alert/rules/service-not-online.ts';
import { viewsOf } from '../../src/track/views.ts';
import { Tracking, told } from '../track/tracking.ts';
import { Bed, situationOf } from './alerting-bed.ts';

const rules = [serviceNotOnline, serviceFlapping, partitionWithoutOnlineReplica];
const minute = 12;
const hour = 60 * minute;

/** A reading that failed everywhere. */
const blind = '';

/** A service that the tracker follows and alerting hears of, each with its defaults. */
class Story {
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

function turns(down: number, up: number, readings: number): readonly string[] {
  return Array.from({ length: readings }, (_, at) => (at % (down + up) < down ? 'Down' : 'Online'));
}

const patterns = [1, 2, 3, 4, 5].flatMap((down) =>
  [1, 2, 3, 4, 5].filter((up) => down + up <= 6).map((up) => [down, up] as const),
);
const longer = [4, 5, 6].map((half) => [half, half] as const);
const all = [...patterns, ...longer];

describe('a service that comes and goes for an hour', () => {
  it.each(all)('down %i, up %i: is told of in three messages at most, and its recovery', async (down, up) => {
    const story = new Story([]);
    await story.read(...turns(0, 1, 30), ...turns(down, up, hour));
    expect(story.said.length, story.said.join(', ')).toBeLessThanOrEqual(3);
    await story.read(...turns(0, 1, 30 * minute));
    expect(story.open).toEqual([]);
  });

  it.each(all.filter(([down, up]) => down === up))(
    'down %i, up %i: the recovery is among the three',
    async (down, up) => {
      const story = new Story([]);
      await story.read(...turns(0, 1, 30), ...turns(down, up, hour), ...turns(0, 1, 30 * minute));
      expect(story.said.length, story.said.join(', ')).toBeLessThanOrEqual(3);
    },
  );

  it.each(all)('down %i, up %i, after it was down: its recovery is owed and told', async (down, up) => {
    const story = new Story([]);
    await story.read(...turns(0, 1, 30), ...turns(1, 0, 3 * minute));

    await story.read(...turns(down, up, hour));
    expect(story.said.length - 1, story.said.join(', ')).toBeLessThanOrEqual(3);
    await story.read(...turns(0, 1, 30 * minute));

    expect(story.open).toEqual([]);
  });
});

describe('a service that was down for a moment before nobody could ask', () => {
  it('and is well when it can be asked again, is told of nobody', async () => {
    const story = new Story([]);
    await story.read(...turns(0, 1, 30), 'Down', 'Down', 'Down', ...Array.from({ length: hour }, () => blind));
    await story.read(...turns(0, 1, 30));
    expect(story.said).toEqual([]);
  });

  it('and is still down, is told of as soon as that is seen', async () => {
    const story = new Story([]);
    await story.read(...turns(0, 1, 30), 'Down', 'Down', 'Down', ...Array.from({ length: hour }, () => blind));
    expect(story.said).toEqual([]);
    await story.read('Down');
    expect(story.said).toEqual(['trigger service_not_online']);
  });
});
