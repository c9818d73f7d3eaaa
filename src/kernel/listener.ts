import type { Logger } from './logger.ts';
import type { Millis } from './time.ts';

/** One incoming request; {@link IncomingRequest.text} reads its body. */
export interface IncomingRequest {
  readonly method: string;
  /** Decoded path without query string. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Header names in lower case; repeated headers are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** Address of the peer, for the rule «loopback only». */
  readonly remoteAddress: string;
  /** Authenticated user of the web config file; absent if authentication is disabled. */
  readonly user?: string;
  /** Aborts when the client disconnects. */
  readonly disconnected: AbortSignal;
  /** Reads the body as UTF-8; rejects when it is larger than `maxBytes`. */
  text(maxBytes: number): Promise<string>;
}

/** Response. A stream that throws resets the connection; the simulator uses this to break off. */
export interface OutgoingReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | readonly Uint8Array[] | AsyncIterable<Uint8Array>;
  /** Called once, when the body is sent or the connection is closed. */
  readonly onSent?: () => void;
}

/** Handles one request; a rejection becomes a 500 without details. */
export type RequestHandler = (request: IncomingRequest) => Promise<OutgoingReply>;

/** A bound server. */
export interface BoundListener {
  readonly host: string;
  readonly port: number;
  /** Stops accepting connections, waits at most `grace` for responses in progress, then closes all connections. */
  close(grace: Millis): Promise<void>;
}

/** Port to incoming HTTP. Port 0 binds a free one. Rejects if the address cannot be bound. */
export type Listen = (options: {
  readonly host: string;
  readonly port: number;
  readonly handler: RequestHandler;
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Logs handlers that reject, which is a bug; the client gets no details. */
  readonly log?: Logger;
}) => Promise<BoundListener>;
