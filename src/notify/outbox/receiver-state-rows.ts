import type { StoreChange } from '../../kernel/store.ts';
import { missedOf } from './missed-incidents.ts';
import { receiverStateChange, type StoredReceiverState } from './outbox-store.ts';

/**
 * Rows of the state of one receiver: one row, or if replicas share the store, one for each cluster with missed incidents.
 * Replicas do not share the outage of a receiver, because each one has its own connection.
 */
export class ReceiverStateRows {
  readonly #receiver: string;
  readonly #isShared: boolean;
  /** Clusters that may have a row. */
  #clusters: ReadonlySet<string> = new Set();

  constructor(receiver: string, isShared: boolean) {
    this.#receiver = receiver;
    this.#isShared = isShared;
  }

  /** Returns the changes that store the state. */
  changes(state: StoredReceiverState): readonly StoreChange[] {
    if (!this.#isShared) return [receiverStateChange(this.#receiver, state)];
    const { folded } = state;
    const missed = new Set(folded.newest.map(({ cluster = '' }) => cluster));
    if (folded.count > folded.newest.length) missed.add('');
    const changed = new Set([...this.#clusters, ...missed]);
    this.#clusters = missed;
    return [...changed].map((cluster) => {
      const own = missedOf(folded, (one) => one === cluster);
      return receiverStateChange(this.#receiver, { folded: own }, cluster);
    });
  }

  /** Records that the clusters of a state that was read from the store may have a row. */
  adopt(state: StoredReceiverState): void {
    const read = state.folded.newest.map(({ cluster = '' }) => cluster);
    this.#clusters = new Set([...this.#clusters, ...read, ...(state.folded.count > read.length ? [''] : [])]);
  }

  /** Forgets the rows of clusters that have another owner. */
  forget(clusters: ReadonlySet<string>): void {
    this.#clusters = new Set([...this.#clusters].filter((cluster) => !clusters.has(cluster)));
  }
}
