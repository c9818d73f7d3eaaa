import { type AlertReport, alertSchema } from '../../api/alerts.ts';
import { type DecisionReport, decisionSchema } from '../../api/guard.ts';
import { type TransitionReport, transitionSchema } from '../../api/services.ts';
import type { Clock, Millis } from '../../kernel/time.ts';
import { clientOf, tooManyRequests } from './admission.ts';
import { problemReply } from './reply.ts';
import type { Route } from './routes.ts';

/** Event of the stream: its name and its data. */
export type ApiEvent =
  | { readonly kind: 'transition'; readonly value: TransitionReport }
  | { readonly kind: 'decision'; readonly value: DecisionReport }
  | { readonly kind: 'alert'; readonly value: AlertReport };

/** A subscriber with more queued events is disconnected: it can request what it missed. */
const maxQueuedEvents = 1000;

/** Maximum number of subscribers, far more than a few pages and scripts need. */
const maxSubscribers = 100;

/** Proxies close connections that are silent for a minute. */
const heartbeatInterval: Millis = 15_000;

const encoder = new TextEncoder();

/** Sends events to the subscribers of the stream. */
export class EventBroker {
  readonly #clock: Clock;
  readonly #onBehind: (client: string) => void;
  readonly #subscribers = new Set<Subscriber>();
  #onSubscribe: () => void = () => undefined;
  #onPublish: (event: ApiEvent) => void = () => undefined;
  #closed = false;

  /** `onBehind` is called with the client of each subscriber that is disconnected because it does not accept its events. */
  constructor(clock: Clock, onBehind: (client: string) => void = () => undefined) {
    this.#clock = clock;
    this.#onBehind = onBehind;
  }

  /** Calls the listener at each new subscriber. */
  onSubscribe(listener: () => void): void {
    this.#onSubscribe = listener;
  }

  /** Calls the listener with each event of this replica. */
  onPublish(listener: (event: ApiEvent) => void): void {
    this.#onPublish = listener;
  }

  hasSubscribers(): boolean {
    return this.#subscribers.size > 0;
  }

  /** Sends an event of this replica to every subscriber. */
  publish(event: ApiEvent): void {
    this.#onPublish(event);
    this.relay(event);
  }

  /** Sends an event of another replica to every subscriber. */
  relay({ kind, value }: ApiEvent): void {
    if (this.#subscribers.size === 0) return;
    const chunk = encoder.encode(`event: ${kind}\ndata: ${JSON.stringify(value)}\n\n`);
    for (const subscriber of this.#subscribers) subscriber.enqueue(chunk);
  }

  /** Returns the events from now on until `disconnected`; undefined at the limit of subscribers, and after {@link close}. */
  subscribe(client: string, disconnected: AbortSignal): AsyncIterable<Uint8Array> | undefined {
    if (this.#closed || this.#subscribers.size >= maxSubscribers) return undefined;
    const subscriber = new Subscriber(this.#clock, () => this.#onBehind(client), disconnected);
    this.#subscribers.add(subscriber);
    this.#onSubscribe();
    return subscriber.chunks(() => this.#subscribers.delete(subscriber));
  }

  /** Ends the stream of every subscriber. */
  close(): void {
    this.#closed = true;
    for (const subscriber of this.#subscribers) subscriber.close();
  }
}

class Subscriber {
  readonly #clock: Clock;
  readonly #disconnected: AbortSignal;
  readonly #onBehind: () => void;
  #queued: Uint8Array[] = [];
  #wakeUp = new AbortController();
  #closed = false;

  constructor(clock: Clock, onBehind: () => void, disconnected: AbortSignal) {
    this.#clock = clock;
    this.#disconnected = disconnected;
    this.#onBehind = onBehind;
    disconnected.addEventListener('abort', () => this.close(), { once: true });
  }

  enqueue(chunk: Uint8Array): void {
    this.#queued.push(chunk);
    if (this.#queued.length > maxQueuedEvents && !this.#closed) {
      this.close();
      this.#onBehind();
    }
    this.#wakeUp.abort();
  }

  close(): void {
    this.#closed = true;
    this.#wakeUp.abort();
  }

  async *chunks(onEnd: () => void): AsyncGenerator<Uint8Array> {
    try {
      // Without a first chunk, some clients do not report the connection as open.
      yield encoder.encode(': connected\n\n');
      while (!this.#closed && !this.#disconnected.aborted) {
        yield* this.#drain();
        if (this.#queued.length > 0 || this.#closed) continue;
        this.#wakeUp = new AbortController();
        await this.#clock.sleep(heartbeatInterval, this.#wakeUp.signal);
        if (this.#queued.length === 0 && !this.#closed) yield encoder.encode(': heartbeat\n\n');
      }
    } finally {
      onEnd();
    }
  }

  #drain(): readonly Uint8Array[] {
    const chunks = this.#queued;
    this.#queued = [];
    return chunks;
  }
}

/** Returns the route of the event stream. */
export function eventsRoute(broker: EventBroker): Route {
  return {
    method: 'GET',
    path: '/api/v1/events',
    admission: 'stream',
    about:
      'Streams events from now on, as server-sent events: `transition` when a status changes, `decision` when the ' +
      'guard makes or ends a decision, `alert` when an alert fires or is resolved.',
    response: {
      type: 'text/event-stream',
      events: { transition: transitionSchema, decision: decisionSchema, alert: alertSchema },
    },
    errorResponses: { ...tooManyRequests, 503: 'The limit of subscribers is reached, or the process is stopping.' },
    handle: async (request) => {
      const { method, disconnected } = request;
      const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' };
      if (method === 'HEAD') return { status: 200, headers };
      const body = broker.subscribe(clientOf(request), disconnected);
      return body === undefined
        ? problemReply(503, 'The limit of subscribers is reached, or the process is stopping.')
        : { status: 200, headers, body };
    },
  };
}
