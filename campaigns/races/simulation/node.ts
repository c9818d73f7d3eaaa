import type { Millis } from '../../../src/kernel/time.ts';
import { epoch, type NodePlan, type QueryPlan } from '../plan/plan.ts';
import type { Query } from './log.ts';

/** Entry of one query in a list. */
export type Entry = Readonly<Record<string, unknown>>;

/** A query on a node, with the time at which it ends by itself. */
type RunningQuery = { -readonly [Key in keyof Query]: Query[Key] } & { readonly start: string; readonly end?: string };

/** One machine of the cluster, with its own clock. */
export class SimulatedNode {
  readonly name: string;
  readonly queries: RunningQuery[] = [];
  #plan: NodePlan;
  #count = 0;
  #active: readonly RunningQuery[] = [];

  constructor(plan: NodePlan) {
    this.name = plan.name;
    this.#plan = plan;
  }

  get tag(): string {
    return this.#plan.tag;
  }

  get roundsAges(): boolean {
    return this.#plan.roundsAges;
  }

  /** Starts the query of a client, with a new id or with a repeated one. */
  startQuery(
    query: QueryPlan,
    { number, now, id }: { readonly number: number; readonly now: Millis; readonly id?: string | undefined },
  ): void {
    this.#count += 1;
    const beganAt = now + query.queuedFor;
    const start = this.#timeAt(beganAt) + this.#plan.zone;
    const held: RunningQuery = {
      ...query,
      number,
      id: id ?? `${this.#count}.${this.tag}.${Math.floor(this.#timeAt(now))}.N`,
      arrivedAt: now,
      beganAt,
      endedAt: beganAt + query.runsFor,
      isAborted: false,
      start: formatTime(start),
      ...(query.grantedTimeout === undefined ? {} : { end: formatTime(start + query.grantedTimeout) }),
    };
    this.queries.push(held);
    this.#active = [...this.#active, held];
  }

  /** Returns the queries that run at an instant. */
  running(now: Millis): readonly Query[] {
    return this.#running(now);
  }

  /** Returns the entries of its list at an instant, with the numbers of their queries. */
  list(now: Millis): readonly { readonly number: number; readonly entry: Entry }[] {
    return this.#running(now).map((one) => ({
      number: one.number,
      entry: {
        requestid: one.id,
        startTime: one.start,
        ...(one.end === undefined ? {} : { expirationTime: one.end }),
        url: one.url,
        elapsedTime: this.#measured(now - one.beganAt) + one.overstatedAge,
      },
    }));
  }

  /** Aborts the query with an id, unless it ignores aborts. Returns the query. */
  abort(id: string, now: Millis): { readonly number: number; readonly ignoresAborts: boolean } | undefined {
    const found = this.#running(now).find((one) => one.id === id);
    if (found === undefined) return undefined;
    if (!found.ignoresAborts) {
      found.endedAt = now;
      found.isAborted = true;
    }
    return { number: found.number, ignoresAborts: found.ignoresAborts };
  }

  /** Ends all queries and restarts the ids. */
  restart(now: Millis, { tag, clockOffset }: Pick<NodePlan, 'tag' | 'clockOffset'>): void {
    for (const one of this.#active) one.endedAt = Math.min(one.endedAt, now);
    this.#count = 0;
    this.#plan = { ...this.#plan, tag, clockOffset };
  }

  /** Sets the clock. Nodes that compute ages from the wall clock then report different ages for running queries. */
  setClock(by: Millis, now: Millis): void {
    if (this.#plan.computesAgesByWallClock) for (const one of this.#running(now)) one.overstatedAge += by;
    this.#plan = { ...this.#plan, clockOffset: this.#plan.clockOffset + by };
  }

  #running(now: Millis): readonly RunningQuery[] {
    this.#active = this.#active.filter(({ endedAt }) => endedAt > now);
    return this.#active.filter(({ beganAt }) => beganAt <= now);
  }

  #timeAt(now: Millis): number {
    return epoch + now + this.#plan.clockOffset + now * this.#plan.drift;
  }

  #measured(length: Millis): Millis {
    const { drift, roundsAges } = this.#plan;
    const measured = Math.floor(length * (1 + drift));
    return roundsAges ? Math.floor(measured / 1000) * 1000 : measured;
  }
}

function formatTime(time: number): string {
  return new Date(time).toISOString().replace('T', ' ').replace('Z', '');
}
