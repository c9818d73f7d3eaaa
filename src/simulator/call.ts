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
