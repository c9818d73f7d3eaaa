import type { Clock } from '../kernel/time.ts';
import type { Reply } from './replies.ts';
import type { TokenIssuer } from './tokens.ts';
import type { HostState, World } from './world/world.ts';

/** One request to one simulated node, past the proxy. */
export interface EndpointCall {
  readonly world: World;
  readonly node: HostState;
  /** The named parts of the path: `{graph}` and the like. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly tokens: TokenIssuer;
  readonly clock: Clock;
  /** Lets the world catch up with the clock, for answers that take their time. */
  readonly advanceClock: () => void;
  /** Aborts when the client goes away. */
  readonly disconnected: AbortSignal;
  /** Records a successful or attempted abort of a query. */
  readonly recordAbort: (requestId: string, url: string) => void;
}

/** One endpoint: facts of the world in the server's shape. */
export type Endpoint = (call: EndpointCall) => Reply | Promise<Reply>;

/** One request as a node received it. Without headers: they hold credentials. */
export interface ReceivedCall {
  readonly node: string;
  readonly method: string;
  readonly path: string;
  /** The query string, `''` where there is none. */
  readonly query: string;
  /** Ms since the epoch, true time. */
  readonly at: number;
  /** Undefined while there is no answer yet. */
  readonly status: number | undefined;
}

/** One query that an abort named, and ended unless it outlives that. */
export interface RecordedAbort {
  readonly node: string;
  readonly requestId: string;
  /** With its parameters. */
  readonly url: string;
  readonly at: number;
}

/** A demonstration may run for weeks: older entries are forgotten. */
const maxEntries = 20_000;

/** Remembers the latest entries in the order in which they came. */
export class BoundedLog<Entry> {
  #entries: Entry[] = [];

  /** Notes an entry; the answer replaces it by a newer version of itself. */
  add(entry: Entry): (newer: Entry) => void {
    let current = entry;
    this.#entries.push(entry);
    if (this.#entries.length > maxEntries * 2) this.#entries = this.#entries.slice(-maxEntries);
    return (newer) => {
      const at = this.#entries.lastIndexOf(current);
      if (at !== -1) this.#entries[at] = newer;
      current = newer;
    };
  }

  /** A copy of what is remembered. */
  entries(): readonly Entry[] {
    return this.#entries.slice(-maxEntries);
  }
}
