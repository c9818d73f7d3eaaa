import type { RequestHandler } from './listener.ts';
import { err, type Result } from './result.ts';
import type { Millis } from './time.ts';

/** Live replica other than this process, as of the latest answer of the database. */
export interface Peer {
  /** Unique for each start of the process. */
  readonly id: string;
  readonly name: string;
  /** Address at which the other replicas reach it, without the path of `external_url`. */
  readonly url: string;
}

/** Request to another replica, which answers it from its own data only and never forwards it. */
export interface PeerRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path and query string, starting with `/`, without the path of `external_url`. */
  readonly path: string;
  /** JSON text of at most {@link maxPeerBody} bytes. */
  readonly body?: string;
  /** User in whose name the request is made, as of the request of a client; the other replica checks its role. */
  readonly user?: string | undefined;
  /** Operator in whose name the request is made, that this process authenticated by other means than a user name. */
  readonly operator?: string | undefined;
  readonly timeout: Millis;
}

/** Reply of another replica. Its authenticity is checked. */
export interface PeerReply {
  readonly status: number;
  /** Value of its header `Retry-After`, in seconds. */
  readonly retryAfter?: string;
  readonly body: string;
}

/** Most bytes of the body of a request to another replica. */
export const maxPeerBody = 64 * 1024;

/** Most bytes of the body of a reply of another replica. */
export const maxPeerReply = 8 * 1024 * 1024;

/** Port to the other replicas that share the database. */
export interface Peers {
  /** Returns the live other replicas; none if the state is not shared. They stay known while the database is away. */
  live(): readonly Peer[];
  /** Sends a signed request. The error is a sentence: the replica did not answer, or its answer is not authentic. */
  request(replica: string, request: PeerRequest): Promise<Result<PeerReply, string>>;
}

/** Checks the requests of other replicas at the listener. */
export interface PeerGate {
  /** Whether a request claims to be one of another replica. */
  isSigned(headers: Readonly<Record<string, string>>): boolean;
  /**
   * Returns a handler that answers signed requests, and signs its replies. `refused` answers a request whose signature is
   * wrong, too old or used before.
   */
  protect(handler: RequestHandler, refused: RequestHandler): RequestHandler;
}

/** How a listener answers requests of other replicas. */
export interface ListenerPeers {
  readonly gate: PeerGate;
  /** Answers their requests, whatever the user of the listener. */
  readonly handler: RequestHandler;
}

/** Peers of a process that shares its state with no other. */
export const noPeers: Peers = {
  live: () => [],
  request: async () => err('no other replica shares the state'),
};
