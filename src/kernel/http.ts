import type { Failure } from './failure.ts';
import type { Result } from './result.ts';
import type { Millis } from './time.ts';

/** One outgoing request with its authorization. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query string, starting with `/`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Maximum bytes to accept, as sent and after decompression; a longer body is the failure `too_large`. */
  readonly maxBytes: number;
  /** May use the reserved connection: the liveness call must not wait behind slow polls. */
  readonly urgent?: boolean;
  /** Called synchronously before the request is written; it is not written if this returns false. */
  readonly mayWrite?: () => boolean;
  /** Sends the request over one given connection or not at all, and never twice. Requires a pool with `oneAddress`. */
  readonly bound?: BoundRequest;
}

/** Ties a request to the connection of an earlier response. */
export interface BoundRequest {
  /** {@link HttpReply.connection} of the earlier response. */
  readonly connection: string;
  /** Called synchronously before the request is written; it is not written if this returns false. */
  readonly mayWrite: () => boolean;
}

/** Complete response: the body is decompressed, the header names are in lower case. */
export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Returns the memory of a long body to the pool; do not use the body afterwards. */
  readonly release?: () => void;
  /** `ip:port` of the peer; set by pools with one address. */
  readonly peer?: string;
  /**
   * Identifies the connection among all connections of the process; set by pools with one address. Absent if the server closes
   * the connection after this response.
   */
  readonly connection?: string;
  /** Time for which the request waited until a connection was free; absent if it did not wait. */
  readonly queued?: Millis;
}

/** Why a request has no response. */
export interface HttpFailure extends Failure {
  /** No byte was sent; if absent, that is unknown. */
  readonly unsent?: true;
  /** As in {@link HttpReply}. */
  readonly queued?: Millis;
}

/**
 * Connections to one origin. Redirects are never followed (`unreachable`); if `signal` aborts, the failure is `timeout`.
 */
export interface HttpPool {
  request(request: HttpRequest, signal: AbortSignal): Promise<Result<HttpReply, HttpFailure>>;
  /** Number of open sockets. */
  sockets(): number;
  close(): Promise<void>;
}

/** PEM texts and checks of a TLS connection. */
export interface TlsMaterial {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly serverName?: string;
  readonly insecureSkipVerify?: boolean;
  /** SHA-256 fingerprint of the certificate of the server, which is checked instead of its issuer and its names. */
  readonly fingerprint?: string;
}

/**
 * Forward proxy of outgoing requests. `environment`: the proxy that `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` name, if any.
 * `authorization` is the value of the header `Proxy-Authorization`.
 */
export type HttpProxy = 'environment' | { readonly url: string; readonly authorization?: string };

/** Port to outgoing HTTP: a pool of at most `sockets` keep-alive connections to one origin. */
export type OpenHttpPool = (options: {
  readonly origin: string;
  readonly sockets: number;
  readonly tls?: TlsMaterial;
  /** Absent: requests go to the origin directly, whatever the environment says. */
  readonly proxy?: HttpProxy;
  /** Unix socket of the origin; absent to connect to its address. */
  readonly socketPath?: string;
  /** All connections use the same address while one of them is open, whatever the name resolves to. */
  readonly oneAddress?: boolean;
}) => HttpPool;
