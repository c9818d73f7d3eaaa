import type { Clock } from '../kernel/time.ts';
import type { Reply } from './replies.ts';
import type { TokenIssuer } from './tokens.ts';
import type { HostState, World } from './world/world.ts';

/** Request to a simulated node, after the proxy. */
export interface EndpointCall {
  readonly world: World;
  readonly node: HostState;
  /** Named segments of the path, such as `{graph}`. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly tokens: TokenIssuer;
  readonly clock: Clock;
  /** Advances the world to the current time, for delayed responses. */
  readonly advanceClock: () => void;
  /** Aborts when the client disconnects. */
  readonly disconnected: AbortSignal;
  /** Records a successful or attempted abort of a query. */
  readonly recordAbort: (requestId: string, url: string) => void;
}

/** Endpoint: returns facts of the world in the format of the server. */
export type Endpoint = (call: EndpointCall) => Reply | Promise<Reply>;

/** Received request, without headers, because they contain credentials. */
export interface ReceivedCall {
  readonly node: string;
  readonly method: string;
  readonly path: string;
  /** Query string; `''` if there is none. */
  readonly query: string;
  /** Ms since the epoch, true time. */
  readonly at: number;
  /** Status of the response; undefined before the response. */
  readonly status: number | undefined;
}

/** Query that an abort request named. It ended, unless it outlives aborts. */
export interface RecordedAbort {
  readonly node: string;
  readonly requestId: string;
  /** URL with its parameters. */
  readonly url: string;
  /** Ms since the epoch, true time. */
  readonly at: number;
}

/** Minimum number of entries that a log retains. It is bounded, because a demo can run for weeks. */
const maxEntries = 20_000;

/** Log of the latest entries in the order of their arrival. */
export class BoundedLog<Entry> {
  #entries: Entry[] = [];

  /** Adds an entry. The returned function replaces it by a newer version. */
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

  /** Returns a copy of the entries. */
  entries(): readonly Entry[] {
    return this.#entries.slice(-maxEntries);
  }
}
