import type { Millis } from '../../kernel/time.ts';

/** Maximum number of clusters that are all evaluated at every tick. */
const smallFleet = 10;

/** Longest time between two evaluations of a cluster without incidents in a larger fleet. */
const fleetInterval: Millis = 5000;

/**
 * Decides for which clusters the rules are evaluated at a tick: up to ten clusters: all; more: those with incidents,
 * and the others in turn. Evaluating 50 clusters at once, every second, took a tenth of the processor time and blocked
 * the process.
 */
export class EvaluationTurns {
  #next = 0;
  #last: Millis | undefined;

  /** Returns the clusters that are due at `mono`: all of them at the first tick. `busy` are those with incidents. */
  due(clusters: readonly string[], busy: ReadonlySet<string>, mono: Millis): ReadonlySet<string> {
    const elapsed = this.#last === undefined ? fleetInterval : mono - this.#last;
    const share = Math.ceil((clusters.length * elapsed) / fleetInterval);
    const first = this.#next % Math.max(1, clusters.length);
    this.#last = mono;
    this.#next = first + Math.min(clusters.length, Math.max(smallFleet, share));
    const inTurn = [...clusters, ...clusters].slice(first, this.#next);
    return new Set([...busy, ...inTurn]);
  }
}
