import type { Millis } from '../../kernel/time.ts';
import type { SimulatedHost } from '../topology.ts';
import type { EventSource } from './event-source.ts';
import { endsAt, type QuerySpec, type QueueName, type SimulatedQuery, type SimulatedQueryState } from './query.ts';

/** Maximum numbers of running and delayed queries of a workload queue on one engine. */
export interface QueueLimits {
  readonly running: number;
  readonly delayed: number;
}

/** Retention of ended queries, which exceeds the longest window of the statistics. */
const endedQueryRetention: Millis = 120_000;
/** Time between two removals of ended queries, because each removal copies the list. */
const removalInterval: Millis = 15_000;

/** Queries of one node. Each starts, waits, finishes, times out or is aborted at its exact time. */
export class NodeLoad implements EventSource {
  readonly limits: Readonly<Record<QueueName, QueueLimits>>;
  readonly #host: SimulatedHost;
  readonly #clockOffset: () => Millis;
  #running: readonly SimulatedQuery[] = [];
  #delayed: readonly SimulatedQuery[] = [];
  /** In the order of their ends. */
  #ended: SimulatedQuery[] = [];
  #removedAt = 0;
  #accepted = 0;
  #rejected = 0;
  #due = Number.POSITIVE_INFINITY;

  constructor(
    host: SimulatedHost,
    { limits, clockOffset }: { limits: Readonly<Record<QueueName, QueueLimits>>; clockOffset: () => Millis },
  ) {
    this.#host = host;
    this.limits = limits;
    this.#clockOffset = clockOffset;
  }

  get running(): readonly SimulatedQuery[] {
    return this.#running;
  }

  get delayed(): readonly SimulatedQuery[] {
    return this.#delayed;
  }

  /** Number of queries that ran, or waited for a slot. */
  get accepted(): number {
    return this.#accepted;
  }

  /** Number of queries that were rejected because their queue was full. */
  get rejected(): number {
    return this.#rejected;
  }

  /** Returns the queries that ended at or after `since`, oldest first, within {@link endedQueryRetention}. */
  endedSince(since: number): readonly SimulatedQuery[] {
    return this.#ended.slice(this.#ended.findLastIndex(({ endedAt = 0 }) => endedAt < since) + 1);
  }

  find(requestId: string): SimulatedQuery | undefined {
    return [...this.#running, ...this.#delayed, ...this.#ended].find((query) => query.requestId === requestId);
  }

  /** Starts or delays a query; undefined if the queue is full. */
  start(spec: QuerySpec, at: number): SimulatedQuery | undefined {
    const limits = this.limits[spec.queue];
    if (this.#hasSlot(spec.queue)) return this.#admit(spec, at, 'running');
    if (countIn(this.#delayed, spec.queue) < limits.delayed) return this.#admit(spec, at, 'delayed');
    this.#rejected += 1;
    return undefined;
  }

  /** Aborts the running queries that `isSelected` selects, and returns them, including those that outlive aborts. */
  abort(isSelected: (query: SimulatedQuery) => boolean, at: number): readonly SimulatedQuery[] {
    const aborted = this.#running.filter(isSelected);
    this.#end(new Set(aborted.filter(({ outlivesAborts = false }) => !outlivesAborts)), 'aborted', at);
    return aborted;
  }

  /** Drops all queries, as when the process ends. */
  clear(): void {
    this.#running = [];
    this.#delayed = [];
    this.#ended = [];
    this.#due = Number.POSITIVE_INFINITY;
  }

  nextEventAt(): number {
    return this.#due;
  }

  runEvent(at: number): void {
    const done = this.#running.filter((query) => endsAt(query) <= at);
    this.#end(new Set(done.filter(({ runsFor, timeout }) => runsFor <= timeout)), 'success', at);
    this.#end(new Set(done.filter(({ runsFor, timeout }) => runsFor > timeout)), 'timeout', at);
  }

  #admit(spec: QuerySpec, at: number, state: 'running' | 'delayed'): SimulatedQuery {
    this.#accepted += 1;
    const stamp = Math.floor(at + this.#clockOffset());
    const requestId = `${65_536 + this.#accepted}.${this.#host.instance}.${stamp}.N`;
    const startedAt = state === 'running' ? at : undefined;
    const query: SimulatedQuery = { ...spec, requestId, arrivedAt: at, startedAt, endedAt: undefined, state };
    if (state === 'running') this.#running = [...this.#running, query];
    else this.#delayed = [...this.#delayed, query];
    this.#due = Math.min(this.#due, endsAt(query));
    return query;
  }

  #end(ended: ReadonlySet<SimulatedQuery>, state: SimulatedQueryState, at: number): void {
    if (ended.size === 0) return;
    this.#running = this.#running.filter((query) => !ended.has(query));
    this.#removeEnded(at);
    for (const query of ended) this.#ended.push({ ...query, state, endedAt: at });
    this.#promote(at);
    this.#due = Math.min(Number.POSITIVE_INFINITY, ...this.#running.map(endsAt));
  }

  #removeEnded(at: number): void {
    if (at - this.#removedAt < removalInterval) return;
    this.#removedAt = at;
    this.#ended = this.#ended.filter(({ detached, endedAt = 0 }) => detached || endedAt > at - endedQueryRetention);
  }

  #promote(at: number): void {
    for (const waiting of this.#delayed) {
      if (!this.#hasSlot(waiting.queue)) continue;
      this.#delayed = this.#delayed.filter((query) => query !== waiting);
      this.#running = [...this.#running, { ...waiting, state: 'running', startedAt: at }];
    }
  }

  #hasSlot(queue: QueueName): boolean {
    return countIn(this.#running, queue) < this.limits[queue].running;
  }
}

function countIn(queries: readonly SimulatedQuery[], queue: QueueName): number {
  let count = 0;
  for (const query of queries) if (query.queue === queue) count += 1;
  return count;
}

/** Returns the queries of one workload queue. */
export function inQueue(queries: readonly SimulatedQuery[], queue: QueueName): readonly SimulatedQuery[] {
  return queries.filter((query) => query.queue === queue);
}
