import type { Logger } from './logger.ts';
import type { Result } from './result.ts';
import type { Millis } from './time.ts';

/** One incoming request; {@link IncomingRequest.text} reads its body. */
export interface IncomingRequest {
  readonly method: string;
  /** Decoded path without query string. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Header names in lower case; repeated headers are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** Address of the peer; empty over a Unix socket. */
  readonly remoteAddress: string;
  /** Authenticated user; absent if authentication is disabled. */
  readonly user?: string;
  /** Name of an operator that the listener authenticated by other means, such as the permissions of a Unix socket. */
  readonly operator?: string;
  /**
   * Id of the replica that sent the request and signed it, for itself or in the name of {@link user} or {@link operator}.
   * It is answered from the data of this process, and never forwarded.
   */
  readonly replica?: string;
  /** Aborts when the client disconnects. */
  readonly disconnected: AbortSignal;
  /** Reads the body as UTF-8; rejects when it is larger than `maxBytes`. */
  text(maxBytes: number): Promise<string>;
}

/** Response. A stream that throws resets the connection; the simulator uses this to cut off responses. */
export interface OutgoingReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | readonly Uint8Array[] | AsyncIterable<Uint8Array>;
  /** Called once, when the body is sent or the connection is closed. */
  readonly onSent?: () => void;
}

/** Headers of every response of the daemon, also of those that the listener sends itself. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/**
 * Reasons for which the listener closes a connection at a limit. `idle`, `busy`: at the limit of connections, an idle one is
 * closed, or else the one with the slowest response. `pipelined`: the client sent too many requests without waiting for
 * responses; `slow`: it did not accept a response in time; `timeout`: its request did not arrive in time; `headers`,
 * `body`: that part of its request is too large.
 */
export const closedReasons = ['idle', 'busy', 'pipelined', 'slow', 'timeout', 'headers', 'body'] as const;

/** One of {@link closedReasons}. */
export type ClosedReason = (typeof closedReasons)[number];

/**
 * Reasons of failed authentications. `busy`: too many passwords wait for their check; `signature`: the signature of a request of
 * another replica is wrong.
 */
export const authenticationFailures = [
  'no_credentials',
  'wrong_credentials',
  'busy',
  'client_certificate',
  'signature',
] as const;

/** One of {@link authenticationFailures}. */
export type AuthenticationFailure = (typeof authenticationFailures)[number];

/** Counters of a listener. */
export interface ListenerCounters {
  readonly connectionClosed: (reason: ClosedReason) => void;
  readonly authenticationFailed: (reason: AuthenticationFailure) => void;
}

/** Requests with wrong credentials from one client address since the last report. */
export interface FailedAuthentication {
  readonly address: string;
  readonly requests: number;
}

/** Handles one request; a rejection becomes a 500 without details. */
export type RequestHandler = (request: IncomingRequest) => Promise<OutgoingReply>;

/** Reverse proxies that authenticate users, and how they name them. */
export interface TrustedProxies {
  /** IP addresses and networks. */
  readonly addresses: readonly string[];
  /** Header that contains the user. */
  readonly userHeader: string;
}

/** A bound server. */
export interface BoundListener {
  readonly host: string;
  readonly port: number;
  /** Stops accepting connections, waits at most `grace` for responses in progress, then closes all connections. */
  close(grace: Millis): Promise<void>;
}

/** A bound Unix socket. */
export interface BoundSocket extends Pick<BoundListener, 'close'> {
  /** Returns whether clients reach the socket by its path: its file or folder may have been moved or deleted. */
  isReachable(): Promise<boolean>;
}

/**
 * Port to incoming HTTP over a Unix socket that only the user of the process can open. Replaces a socket that a killed
 * process left behind, but not one on which another process listens. The error is a sentence.
 */
export type ListenOnSocket = (options: {
  readonly path: string;
  readonly handler: RequestHandler;
  readonly log: Logger;
}) => Promise<Result<BoundSocket, string>>;

/** Port to incoming HTTP. Port 0 binds a free one. Rejects if the address cannot be bound. */
export type Listen = (options: {
  readonly host: string;
  readonly port: number;
  readonly handler: RequestHandler;
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Logs handlers that reject, which is a bug; the client gets no details. */
  readonly log?: Logger;
}) => Promise<BoundListener>;
