import type { Clock, Millis } from '../kernel/time.ts';
import { problem } from './reply.ts';
import type { Route } from './routes.ts';

/** Something that happened. `kind` is the name of the event, `value` its data. */
export interface SiteEvent {
  readonly kind: 'transition' | 'decision' | 'alert';
  readonly value: unknown;
}

/** A reader that has fallen behind by this many events is let go: it can ask for what it missed. */
const mostWaiting = 1000;

/** More readers than a few pages and scripts are a mistake. */
const mostReaders = 100;

/** Proxies close connections on which nothing is said for a minute. */
const heartbeat: Millis = 15_000;

const encoder = new TextEncoder();

/** Tells those who look on what happens, as it happens. */
export class EventHub {
  readonly #clock: Clock;
  readonly #readers = new Set<Reader>();
  #ended = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Tells everybody. */
  publish({ kind, value }: SiteEvent): void {
    const piece = encoder.encode(`event: ${kind}\ndata: ${JSON.stringify(value)}\n\n`);
    for (const reader of this.#readers) reader.add(piece);
  }

  /** What happens from now on until `gone`; undefined where too many listen already, and at the end. */
  listen(gone: AbortSignal): AsyncIterable<Uint8Array> | undefined {
    if (this.#ended || this.#readers.size >= mostReaders) return undefined;
    const reader = new Reader(this.#clock, gone);
    this.#readers.add(reader);
    return reader.pieces(() => this.#readers.delete(reader));
  }

  /** Lets everybody go. */
  end(): void {
    this.#ended = true;
    for (const reader of this.#readers) reader.end();
  }
}

class Reader {
  readonly #clock: Clock;
  readonly #gone: AbortSignal;
  #waiting: Uint8Array[] = [];
  #nap = new AbortController();
  #ended = false;

  constructor(clock: Clock, gone: AbortSignal) {
    this.#clock = clock;
    this.#gone = gone;
    gone.addEventListener('abort', () => this.end(), { once: true });
  }

  add(piece: Uint8Array): void {
    this.#waiting.push(piece);
    if (this.#waiting.length > mostWaiting) this.end();
    this.#nap.abort();
  }

  end(): void {
    this.#ended = true;
    this.#nap.abort();
  }

  async *pieces(left: () => void): AsyncGenerator<Uint8Array> {
    try {
      // Something has to be said at once, or the other side does not know that it is connected.
      yield encoder.encode(': connected\n\n');
      while (!this.#ended && !this.#gone.aborted) {
        yield* this.#taken();
        if (this.#waiting.length > 0 || this.#ended) continue;
        this.#nap = new AbortController();
        await this.#clock.sleep(heartbeat, this.#nap.signal);
        if (this.#waiting.length === 0 && !this.#ended) yield encoder.encode(': still here\n\n');
      }
    } finally {
      left();
    }
  }

  #taken(): readonly Uint8Array[] {
    const taken = this.#waiting;
    this.#waiting = [];
    return taken;
  }
}

/** `/api/v1/events`. */
export function eventsRoute(hub: EventHub): Route {
  return {
    method: 'GET',
    path: '/api/v1/events',
    about:
      'What happens from now on, as server-sent events: `transition` as GET /api/v1/transitions has it, `decision` as GET /api/v1/guard/decisions does when it is made and when it is over, `alert` when one begins or ends.',
    gives: { type: 'text/event-stream' },
    problems: { 503: 'Too many listen already, or the end has begun.' },
    handle: async ({ method, gone }) => {
      const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' };
      if (method === 'HEAD') return { status: 200, headers };
      const body = hub.listen(gone);
      return body === undefined ? problem(503, 'Nobody else can listen now.') : { status: 200, headers, body };
    },
  };
}
