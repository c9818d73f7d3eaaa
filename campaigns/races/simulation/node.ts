import type { Millis } from '../../../src/kernel/time.ts';
import { epoch, type NodePlan, type QueryPlan } from '../plan/plan.ts';
import type { Query } from './log.ts';

/** Entry of one query in a list. */
export type Entry = Readonly<Record<string, unknown>>;

/** A query that a machine holds; it alone knows when it ends. */
type RunningQuery = { -readonly [Key in keyof Query]: Query[Key] } & { readonly start: string; readonly end?: string };

/** One machine of the cluster, with a clock of its own. */
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

  /** A client asks for a query; under an id that was had before, where one is given. */
  startQuery(
    query: QueryPlan,
    { number, now, id }: { readonly number: number; readonly now: Millis; readonly id?: string | undefined },
  ): void {
    this.#count += 1;
    const beganAt = now + query.waits;
    const start = this.#timeAt(beganAt) + this.#plan.zone;
    const held: RunningQuery = {
      ...query,
      number,
      id: id ?? `${this.#count}.${this.tag}.${Math.floor(this.#timeAt(now))}.N`,
      arrivedAt: now,
      beganAt,
      endedAt: beganAt + query.lasts,
      isAborted: false,
      start: formatTime(start),
      ...(query.granted === undefined ? {} : { end: formatTime(start + query.granted) }),
    };
    this.queries.push(held);
    this.#active = [...this.#active, held];
  }

  /** What runs at an instant. */
  running(now: Millis): readonly Query[] {
    return this.#running(now);
  }

  /** The entries of its list at an instant, and the numbers of the queries that they are about. */
  list(now: Millis): readonly { readonly number: number; readonly entry: Entry }[] {
    return this.#running(now).map((one) => ({
      number: one.number,
      entry: {
        requestid: one.id,
        startTime: one.start,
        ...(one.end === undefined ? {} : { expirationTime: one.end }),
        url: one.url,
        elapsedTime: this.#measured(now - one.beganAt) + one.lie,
      },
    }));
  }

  /** Aborts what runs under an id, if it lets itself be; and the number of what does. */
  abort(id: string, now: Millis): { readonly number: number; readonly isZombie: boolean } | undefined {
    const hit = this.#running(now).find((one) => one.id === id);
    if (hit === undefined) return undefined;
    if (!hit.isZombie) {
      hit.endedAt = now;
      hit.isAborted = true;
    }
    return { number: hit.number, isZombie: hit.isZombie };
  }

  /** Ends all queries, and restarts the ids. */
  restart(now: Millis, { tag, ahead }: Pick<NodePlan, 'tag' | 'ahead'>): void {
    for (const one of this.#active) one.endedAt = Math.min(one.endedAt, now);
    this.#count = 0;
    this.#plan = { ...this.#plan, tag, ahead };
  }

  /** Its clock is set: to some that is as if what runs had begun at another time. */
  setClock(by: Millis, now: Millis): void {
    if (this.#plan.isByWall) for (const one of this.#running(now)) one.lie += by;
    this.#plan = { ...this.#plan, ahead: this.#plan.ahead + by };
  }

  #running(now: Millis): readonly RunningQuery[] {
    this.#active = this.#active.filter(({ endedAt }) => endedAt > now);
    return this.#active.filter(({ beganAt }) => beganAt <= now);
  }

  #timeAt(now: Millis): number {
    return epoch + now + this.#plan.ahead + now * this.#plan.drift;
  }

  #measured(length: Millis): Millis {
    const { drift, isRounding } = this.#plan;
    const measured = Math.floor(length * (1 + drift));
    return isRounding ? Math.floor(measured / 1000) * 1000 : measured;
  }
}

function formatTime(time: number): string {
  return new Date(time).toISOString().replace('T', ' ').replace('Z', '');
}
