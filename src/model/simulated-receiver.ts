/** One notification within a request, as a simulated receiver understands it. */
export interface ReceivedNotification {
  readonly action: 'trigger' | 'acknowledge' | 'resolve' | 'message';
  /** Key by which the receiver distinguishes incidents, such as PagerDuty's `dedup_key`; `''` if it has none. */
  readonly key: string;
  /** The sender's incident number; `''` if the request does not contain it. */
  readonly episode: string;
  readonly summary: string;
  /** When a level-triggered receiver resolves the alert unless it is sent again, ms since the epoch. */
  readonly until?: number;
}

/** A complete HTTP reply of a simulated receiver. Header names are in lower case. */
export interface SimulatedReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Reply of a healthy receiver to one request, and the notifications that the request contained. */
export interface HandledRequest {
  readonly reply: SimulatedReply;
  /** The notifications that it keeps: none if it rejects the request as a whole. */
  readonly kept: readonly ReceivedNotification[];
}

/** The HTTP API of one kind of receiver, for tests and the demo. */
export interface SimulatedReceiverApi {
  /** Path of the address that a sender is configured with. */
  readonly urlPath: string;
  /** Path that notifications are posted to. */
  readonly requestPath: string;
  /** Paths of other requests about notifications, such as updates of a message. */
  readonly otherPaths?: readonly string[];
  /** The sender repeats what is open: only changes are printed. */
  readonly isLevelTriggered?: true;
  /** Handles a request; `now` is wall time, ms since the epoch. */
  handle(body: string, now: number): HandledRequest;
}

/** Returns a reply with a body as JSON. */
export function jsonReply(body: unknown, status = 200): SimulatedReply {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

/** Returns a reply with a body as plain text. */
export function textReply(body: string, status = 200): SimulatedReply {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body };
}
