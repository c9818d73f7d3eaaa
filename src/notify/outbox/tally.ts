import { inSeconds } from '../../kernel/time.ts';
import { type Distribution, distribution, distributionSamples, observe } from '../../metric/distribution.ts';
import { counter, gauge, histogram, type Metric, type Sample, sample } from '../../metric/metric.ts';
import type { ReceiverView } from '../../model/situation.ts';
import { results } from '../notifier.ts';
import type { Ending } from './queue.ts';

const source = 'delivery';

const notifications = counter({
  name: 'graphwarden_notifications_total',
  help: 'Attempts to tell a receiver something, one for each alert in a letter; a refresh repeats what a receiver would forget.',
  labels: ['receiver', 'action', 'result'],
  source,
});

const latency = histogram({
  name: 'graphwarden_notification_latency_seconds',
  help: 'Time from when something was due to be told until the receiver accepted it.',
  labels: ['receiver'],
  source,
});

const depth = gauge({
  name: 'graphwarden_outbox_depth',
  help: 'What is owed to a receiver: alerts, sentences and a digest.',
  labels: ['receiver'],
  source,
});

const oldest = gauge({
  name: 'graphwarden_outbox_oldest_timestamp_seconds',
  help: 'When the oldest of what is owed to a receiver became due; absent where nothing is owed.',
  labels: ['receiver'],
  source,
});

const parked = gauge({
  name: 'graphwarden_outbox_parked',
  help: 'What a receiver did not take for so long, or so clearly, that it is no longer tried.',
  labels: ['receiver'],
  source,
});

/** All that delivery shows. */
export const deliveryMetrics: readonly Metric[] = [notifications, latency, depth, oldest, parked];

const actions = ['trigger', 'remind', 'resolve', 'message', 'digest', 'refresh'] as const;
const bounds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600, 21_600, 86_400];

/** Counts what became of what was sent to one receiver since the start. */
export class Tally {
  readonly #receiver: string;
  readonly #counts = new Map<string, number>();
  #latency: Distribution = distribution(bounds);

  constructor(receiver: string) {
    this.#receiver = receiver;
  }

  /** Takes what an attempt came to at wall time `now`. */
  note({ action, result, due }: Ending, now: number): void {
    const key = `${action} ${result}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    if (due !== undefined) this.#latency = observe(this.#latency, inSeconds(Math.max(0, now - due)));
  }

  /** What is shown of the receiver. */
  *samples(view: ReceiverView): Generator<Sample> {
    const labels = { receiver: this.#receiver };
    for (const action of actions) {
      for (const result of results) {
        yield sample(notifications, { ...labels, action, result }, this.#counts.get(`${action} ${result}`) ?? 0);
      }
    }
    yield* distributionSamples(latency, labels, this.#latency);
    yield sample(depth, labels, view.depth);
    yield sample(parked, labels, view.parked);
    if (view.oldestDue !== undefined) yield sample(oldest, labels, inSeconds(view.oldestDue));
  }
}
