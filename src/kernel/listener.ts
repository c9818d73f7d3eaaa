import type { Logger } from './logger.ts';
import type { Millis } from './time.ts';

/** One incoming request, without its body until {@link IncomingRequest.text} is asked for it. */
export interface IncomingRequest {
  readonly method: string;
  /** Decoded path without query string. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Header names in lower case; repeated headers are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** Address of the peer, for the rule «loopback only». */
  readonly remoteAddress: string;
  /** The authenticated user of the web config file; absent where authentication is off. */
  readonly user?: string;
  /** Aborts when the client goes away. */
  readonly gone: AbortSignal;
  /** Reads the body as UTF-8; rejects when it is larger than `maxBytes`. */
  text(maxBytes: number): Promise<string>;
}

/** What to send. A stream that throws resets the connection: that is how the simulator breaks off. */
export interface OutgoingReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | readonly Uint8Array[] | AsyncIterable<Uint8Array>;
  /** Called, once, when the body is sent or the connection gone. */
  readonly sent?: () => void;
}

/** Answers one request; a rejection becomes a 500 without details. */
export type RequestHandler = (request: IncomingRequest) => Promise<OutgoingReply>;

/** A bound server. */
export interface Listening {
  readonly host: string;
  readonly port: number;
  /** Stops accepting, lets answers under way finish for at most `grace`, then cuts. */
  close(grace: Millis): Promise<void>;
}

/** The port to incoming HTTP. Port 0 binds a free one. Rejects when the address cannot be bound. */
export type Listen = (options: {
  readonly host: string;
  readonly port: number;
  readonly handler: RequestHandler;
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Hears of handlers that reject: that is a bug, and the client is told nothing of it. */
  readonly log?: Logger;
}) => Promise<Listening>;
