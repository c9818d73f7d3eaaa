import type { Failure } from './failure.ts';
import type { Result } from './result.ts';
import type { Millis } from './time.ts';

/** One outgoing call, already authorised. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path and query string, starting with `/`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The most bytes to accept, as sent and after decompression; more is the failure `too_large`. */
  readonly maxBytes: number;
  /** May take the connection that is kept free for it: liveness must not wait behind slow reads. */
  readonly urgent?: boolean;
  /** Never to be sent twice, whatever becomes of it: not even where a kept connection turns out to be closed. */
  readonly once?: boolean;
  /** Whom alone it may be sent to; for pools to one address alone, others refuse it. */
  readonly only?: { readonly peer: string };
  /** Given up for good unless it has a connection to leave by within so long: what is asked later is another thing. */
  readonly leaveWithin?: Millis;
}

/** A complete answer: the body is decompressed, the header names are in lower case. */
export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Gives the memory of a long body back, for the next one; nobody may look at the body afterwards. */
  readonly release?: () => void;
  /** `ip:port` of who answered; told by pools to one address alone. */
  readonly peer?: string;
}

/** Why there is no answer to a request. */
export interface HttpFailure extends Failure {
  /** No byte of it can have left; where this is absent there is no telling. */
  readonly unsent?: true;
}

/** The sockets to one node. Redirects are never followed (`unreachable`), the abort of `signal` is `timeout`. */
export interface HttpPool {
  request(request: HttpRequest, signal: AbortSignal): Promise<Result<HttpReply, HttpFailure>>;
  /** Sockets open right now. */
  sockets(): number;
  close(): Promise<void>;
}

/** PEM texts and checks for a TLS connection. */
export interface TlsMaterial {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly serverName?: string;
  readonly insecureSkipVerify?: boolean;
}

/** The port to outgoing HTTP: a pool of at most `sockets` keep-alive connections to one origin. */
export type OpenHttpPool = (options: {
  readonly origin: string;
  readonly sockets: number;
  readonly tls?: TlsMaterial;
  /** All connections lead to one and the same address for as long as one of them is open, whatever names resolve to. */
  readonly oneAddress?: boolean;
}) => HttpPool;
