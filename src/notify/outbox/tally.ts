import { inSeconds } from '../../kernel/time.ts';
import { type Distribution, distribution, distributionSamples, observe } from '../../metric/distribution.ts';
import { type Sample, sample } from '../../metric/metric.ts';
import type { ReceiverView } from '../../model/situation.ts';
import { depth, failing, latency, notifications, oldest, parked } from '../delivery-metrics.ts';
import { results } from '../notifier.ts';
import type { Ending } from './endings.ts';

const actions = ['trigger', 'remind', 'resolve', 'digest', 'refresh'] as const;
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
    yield sample(failing, labels, view.failing ? 1 : 0);
    if (view.oldestDue !== undefined) yield sample(oldest, labels, inSeconds(view.oldestDue));
  }
}
