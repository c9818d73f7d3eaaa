import { eventBatchSchema, maxEventBatch } from '../../api/replicas.ts';
import { parseJson } from '../../kernel/json.ts';
import type { Peers } from '../../kernel/peers.ts';
import type { Clock, Millis } from '../../kernel/time.ts';
import type { ApiEvent, EventBroker } from './event-stream.ts';

import type { OtherReplicas } from './other-replicas.ts';
import { parameter } from './query-parameters.ts';
import { jsonReply, problemReply } from './reply.ts';
import type { Route } from './routes.ts';

const path = '/api/v1/events/next';

/** A replica waits for events of another one for this time, then repeats the request. */
const longestWait: Millis = 10_000;
const requestTimeout: Millis = longestWait + 5000;

/** Events within this time are sent together. */
const collectingTime: Millis = 200;

/** Events are kept for this time after the latest request of another replica. */
const keptAfterRequest: Millis = 30_000;

/** Wait after a failed request, and between two checks of the list of replicas. */
const retryDelay: Millis = 2000;

/** Keeps the latest events for other replicas, while they request them. */
export class RecentEvents {
  readonly #clock: Clock;
  #events: readonly { readonly number: number; readonly event: ApiEvent }[] = [];
  #last = 0;
  #keptUntil: Millis = Number.NEGATIVE_INFINITY;
  #wakeUp = new AbortController();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Adds an event of this replica. */
  add(event: ApiEvent): void {
    this.#last += 1;
    if (this.#clock.now().mono > this.#keptUntil) {
      this.#events = [];
      return;
    }
    this.#events = [...this.#events.slice(1 - maxEventBatch), { number: this.#last, event }];
    this.#wakeUp.abort();
  }

  /** Returns the route for other replicas. It answers when there are events after number `after`, or after a while. */
  route(): Route {
    return {
      method: 'GET',
      path,
      about: 'Returns the next events to another replica.',
      parameters: [parameter('after', 'Number of the latest event that the replica has.')],
      response: { type: 'application/json', schema: eventBatchSchema },
      handle: async ({ query, disconnected }) => {
        this.#keptUntil = this.#clock.now().mono + longestWait + keptAfterRequest;
        const given = query.get('after');
        if (given === null) return jsonReply({ last: this.#last, events: [] });
        if (!/^\d{1,15}$/.test(given)) return problemReply(400, 'after must be a whole number.');
        const after = Number(given);
        if (after >= this.#last) await this.#wait(disconnected);
        const events = this.#events.filter(({ number }) => number > after).map(({ event }) => event);
        return jsonReply({ last: this.#last, events });
      },
    };
  }

  async #wait(disconnected: AbortSignal): Promise<void> {
    if (this.#wakeUp.signal.aborted) this.#wakeUp = new AbortController();
    const wakeUp = this.#wakeUp.signal;
    await this.#clock.sleep(longestWait, AbortSignal.any([wakeUp, disconnected]));
    if (wakeUp.aborted && !disconnected.aborted) await this.#clock.sleep(collectingTime, disconnected);
  }
}

/** Dependencies of {@link followEvents}. */
export interface EventFollowerContext {
  readonly clock: Clock;
  readonly peers: Peers;
  readonly replicas: Pick<OtherReplicas, 'forgetAnswers'>;
  readonly broker: Pick<EventBroker, 'relay' | 'hasSubscribers' | 'onSubscribe'>;
}

/** Adds the events of the other replicas to the stream while it has subscribers. */
export function followEvents(context: EventFollowerContext): void {
  const { clock, peers, broker } = context;
  const followed = new Set<string>();
  let isWatching = false;
  const pollReplicas = async (): Promise<void> => {
    if (isWatching) return;
    isWatching = true;
    while (broker.hasSubscribers()) {
      for (const { id } of peers.live()) {
        if (followed.has(id)) continue;
        followed.add(id);
        void followReplica(id, context).finally(() => followed.delete(id));
      }
      await clock.sleep(retryDelay);
    }
    isWatching = false;
  };
  broker.onSubscribe(() => void pollReplicas());
}

/** Resolves when the replica is no longer live, or the stream has no subscribers. */
async function followReplica(id: string, { clock, peers, replicas, broker }: EventFollowerContext): Promise<void> {
  let after: number | undefined;
  while (broker.hasSubscribers() && peers.live().some((peer) => peer.id === id)) {
    const query = after === undefined ? '' : `?after=${after}`;
    const reply = await peers.request(id, { method: 'GET', path: `${path}${query}`, timeout: requestTimeout });
    const batch = eventBatchSchema.safeParse(
      reply.ok && reply.value.status === 200 ? parseJson(reply.value.body) : undefined,
    );
    if (!batch.success) {
      // The replica may have started again: its numbers begin at 0.
      after = undefined;
      await clock.sleep(retryDelay);
      continue;
    }
    after = batch.data.last;
    if (batch.data.events.length > 0) replicas.forgetAnswers(id);
    for (const event of batch.data.events) broker.relay(event);
  }
}
