import { toSeconds } from '../kernel/time.ts';
import { emptyHistogram, type HistogramState, histogramSamples, observe } from '../metric/histogram-state.ts';
import { counter, gauge, histogram, type Metric, type Sample, sample } from '../metric/metric.ts';
import type { ReceiverView } from '../model/situation.ts';
import { deliveryResults } from './notifier.ts';
import { type AttemptOutcome, countedActions } from './outbox/delivery-attempt.ts';

const source = 'delivery';

const notifications = counter({
  name: 'graphwarden_notifications_total',
  help: 'Notification attempts, one for each alert in a request; a refresh repeats a notification that would otherwise expire at the receiver.',
  labels: ['receiver', 'action', 'result'],
  source,
});

const latency = histogram({
  name: 'graphwarden_notification_latency_seconds',
  help: 'Time from when a notification was due until the receiver accepted it.',
  labels: ['receiver'],
  source,
});

const depth = gauge({
  name: 'graphwarden_outbox_depth',
  help: 'Pending notifications for the receiver, including a digest.',
  labels: ['receiver'],
  source,
});

const oldest = gauge({
  name: 'graphwarden_outbox_oldest_timestamp_seconds',
  help: 'Unix timestamp of the due time of the oldest pending notification for the receiver; absent without pending notifications.',
  labels: ['receiver'],
  source,
});

const parked = gauge({
  name: 'graphwarden_outbox_parked',
  help: 'Parked notifications for the receiver; they are not retried before the next reminder.',
  labels: ['receiver'],
  source,
});

const failing = gauge({
  name: 'graphwarden_receiver_failing',
  help: 'Whether notifications to the receiver, or to one of its recipients, fail (1) or not (0).',
  labels: ['receiver'],
  source,
});

/** All metrics of delivery. */
export const deliveryMetrics: readonly Metric[] = [notifications, latency, depth, oldest, parked, failing];

const latencyBuckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600, 21_600, 86_400];

/** Counts the notification attempts for one receiver since the start of the process. */
export class DeliveryCounters {
  readonly #receiver: string;
  readonly #counts = new Map<string, number>();
  #latency: HistogramState = emptyHistogram(latencyBuckets);

  constructor(receiver: string) {
    this.#receiver = receiver;
  }

  /** Records the outcome of an attempt at wall time `now`. */
  record({ action, result, due }: AttemptOutcome, now: number): void {
    const key = `${action} ${result}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    if (due !== undefined) this.#latency = observe(this.#latency, toSeconds(Math.max(0, now - due)));
  }

  /** Returns the samples of the receiver. */
  *samples(view: ReceiverView): Generator<Sample> {
    const labels = { receiver: this.#receiver };
    for (const action of countedActions) {
      for (const result of deliveryResults) {
        yield sample(notifications, { ...labels, action, result }, this.#counts.get(`${action} ${result}`) ?? 0);
      }
    }
    yield* histogramSamples(latency, labels, this.#latency);
    yield sample(depth, labels, view.depth);
    yield sample(parked, labels, view.parked);
    yield sample(failing, labels, view.failing ? 1 : 0);
    if (view.oldestDue !== undefined) yield sample(oldest, labels, toSeconds(view.oldestDue));
  }
}
