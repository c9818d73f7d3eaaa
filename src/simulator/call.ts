import type { Clock } from '../kernel/time.ts';
import type { Reply } from './replies.ts';
import type { TokenDesk } from './tokens.ts';
import type { HostState, World } from './world/world.ts';

/** One request to one simulated node, past the proxy. */
export interface Call {
  readonly world: World;
  readonly node: HostState;
  /** The named parts of the path: `{graph}` and the like. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly tokens: TokenDesk;
  readonly clock: Clock;
  /** Lets the world catch up with the clock, for answers that take their time. */
  readonly catchUp: () => void;
  /** Aborts when the client goes away. */
  readonly gone: AbortSignal;
  /** Writes down that a query was aborted, or that somebody tried. */
  readonly recordAbort: (requestId: string, url: string) => void;
}

/** One endpoint: facts of the world in the server's shape. */
export type Endpoint = (call: Call) => Reply | Promise<Reply>;
