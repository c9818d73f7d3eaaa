import type { Instant, Millis } from '../kernel/time.ts';
import { type CollectorTarget, collectorKey } from '../model/collector-key.ts';
import type { PollResult } from './poll-runner.ts';

/** Latest state of one {@link CollectorTarget}. */
export interface LatestResult extends CollectorTarget {
  readonly pollResult: PollResult;
  /** End of the last successful poll. */
  readonly lastSuccess?: Instant;
  /** Successful and not overdue. */
  readonly fresh: boolean;
  /** It has facts, complete or partial, that are not overdue. */
  readonly hasFacts: boolean;
  /** Monotonic time from which the poll result is overdue. */
  readonly freshUntil: number;
}

/** State that polling needs. It has no clock: every time comes with a poll result or as an argument. */
export class LatestResults {
  readonly #entries = new Map<string, LatestResult>();
  /** Node of the last successful poll. A failed poll does not change it. */
  readonly #sources = new Map<string, string>();

  /** Records a poll result. `lifetime` is its maximum age; infinite for collectors with a schedule. */
  record(target: CollectorTarget, pollResult: PollResult, lifetime: Millis): LatestResult {
    const before = this.latest(target);
    const entry: LatestResult = {
      ...target,
      pollResult,
      ...(before?.lastSuccess === undefined ? {} : { lastSuccess: before.lastSuccess }),
      ...(pollResult.result.ok ? { lastSuccess: pollResult.ended } : {}),
      fresh: pollResult.result.ok,
      hasFacts: pollResult.result.ok || pollResult.result.partial !== undefined,
      freshUntil: pollResult.ended.mono + lifetime,
    };
    this.#entries.set(collectorKey(target), entry);
    if (pollResult.result.ok) this.#sources.set(collectorKey(target), pollResult.source);
    return entry;
  }

  /** Returns the latest poll result of a target, successful or not. */
  latest(target: CollectorTarget): LatestResult | undefined {
    return this.#entries.get(collectorKey(target));
  }

  /** Returns whether the latest poll failed without any facts; partial facts come from a node that answered. */
  hasFailed(target: CollectorTarget): boolean {
    const result = this.latest(target)?.pollResult.result;
    return result?.ok === false && result.partial === undefined;
  }

  /** Returns all entries of one cluster, or of all clusters. */
  all(cluster?: string): readonly LatestResult[] {
    return [...this.#entries.values()].filter((entry) => cluster === undefined || entry.cluster === cluster);
  }

  /** Returns the node of the last successful poll; undefined before the first. */
  sourceOf(target: CollectorTarget): string | undefined {
    return this.#sources.get(collectorKey(target));
  }

  /** Returns whether a target has a successful poll result that is not overdue; fallback collectors depend on it. */
  isFresh(target: CollectorTarget): boolean {
    return this.latest(target)?.fresh === true;
  }

  /** Returns the monotonic time at which the next facts become overdue; infinite without any. */
  nextOverdue(): number {
    return this.#entries
      .values()
      .reduce(
        (next, { hasFacts, freshUntil }) => (hasFacts ? Math.min(next, freshUntil) : next),
        Number.POSITIVE_INFINITY,
      );
  }

  /** Marks poll results whose facts have become overdue and returns each of them once. */
  markStale(now: Instant): readonly LatestResult[] {
    const late = this.all().filter((entry) => entry.hasFacts && now.mono >= entry.freshUntil);
    return late.map((entry) => {
      const overdue = { ...entry, fresh: false, hasFacts: false };
      this.#entries.set(collectorKey(entry), overdue);
      return overdue;
    });
  }

  /**
   * Returns the nodes to poll for a fact of the whole cluster, in order: the previous source, whose copies the values
   * are compared with; the other nodes; finally the nodes that are down.
   */
  candidateNodes(target: CollectorTarget, nodes: readonly string[], down: ReadonlySet<string>): readonly string[] {
    const sticky = this.#sources.get(collectorKey(target));
    const rank = (node: string): number => (down.has(node) ? 2 : 0) + (node === sticky ? 0 : 1);
    return nodes.toSorted((one, other) => rank(one) - rank(other));
  }

  /** Forgets the targets that `gone` selects. */
  forget(gone: (target: CollectorTarget) => boolean): void {
    for (const [key, entry] of this.#entries) {
      if (!gone(entry)) continue;
      this.#entries.delete(key);
      this.#sources.delete(key);
    }
  }
}
