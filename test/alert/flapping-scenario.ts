import { partitionWithoutOnlineReplica } from '../../src/alert/rules/partition-without-online-replica.ts';
import { serviceFlapping } from '../../src/alert/rules/service-flapping.ts';
import { serviceNotOnline } from '../../src/alert/rules/service-not-online.ts';
import { viewsOf } from '../../src/track/views.ts';
import { serviceState, TrackingHarness } from '../track/tracking-harness.ts';
import { AlertingTestbed, situationOf } from './alerting-testbed.ts';

const rules = [serviceNotOnline, serviceFlapping, partitionWithoutOnlineReplica];

/** Number of polls in an hour. */
export const pollsPerHour = 12 * 60;

/** A poll that fails on all nodes. */
export const failedPoll = '';

/** A service whose status passes through the tracker and alerting, each with its defaults. */
export class FlappingScenario {
  readonly #tracker = new TrackingHarness();
  readonly #alerting = new AlertingTestbed({ rules });
  readonly #others: readonly string[];

  /** `others`: the other replicas of its partition, which are online. */
  constructor(others: readonly string[]) {
    this.#others = others;
  }

  /** Polls these statuses, five seconds apart, with an evaluation after each poll. */
  async poll(...statuses: readonly string[]): Promise<void> {
    for (const status of statuses) {
      if (status === failedPoll) this.#tracker.failPoll();
      else
        this.#tracker.pollStates([
          serviceState(status),
          ...this.#others.map((replica) => serviceState('Online', { replica })),
        ]);
      const { replicas, partitions } = viewsOf(this.#tracker.state, 'prod');
      const blank = situationOf({ rules: {} });
      const collectors = blank.collectors.map((view) => ({ ...view, collector: 'services' }));
      await this.#alerting.step({ kind: 'situation', situation: { ...blank, collectors, replicas, partitions } }, 5000);
    }
  }

  /** The notifications in order. */
  get notifications(): readonly string[] {
    return this.#alerting.notifications.map(({ kind, alert }) => `${kind} ${alert.rule}`);
  }

  /** The rules of incidents with a trigger but no resolve. */
  get open(): readonly string[] {
    const over = new Set(
      this.#alerting.notifications.filter(({ kind }) => kind === 'resolve').map(({ alert }) => alert.episode),
    );
    return this.#alerting.notifications.filter(({ alert }) => !over.has(alert.episode)).map(({ alert }) => alert.rule);
  }
}

/** Returns statuses that alternate between `down` polls of Down and `up` polls of Online. */
export function alternatingStatuses(down: number, up: number, count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => (at % (down + up) < down ? 'Down' : 'Online'));
}

const patterns = [1, 2, 3, 4, 5].flatMap((down) =>
  [1, 2, 3, 4, 5].filter((up) => down + up <= 6).map((up) => [down, up] as const),
);
const longer = [4, 5, 6].map((half) => [half, half] as const);
/** All flapping patterns with a period of up to six polls, and some slower ones. */
export const flappingPatterns = [...patterns, ...longer];
