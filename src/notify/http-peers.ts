import { createReloadingPool } from '../graphdb/reloading-pool.ts';
import { deepEqual } from '../kernel/deep-equal.ts';
import type { Failure } from '../kernel/failure.ts';
import type { HttpPool, HttpProxy, HttpReply } from '../kernel/http.ts';
import type { Result } from '../kernel/result.ts';
import type { Millis } from '../kernel/time.ts';
import type { TlsSettings } from '../model/settings.ts';
import type { ReceiverResponse, RetriedResponse } from './notifier.ts';
import type { NotifierPorts } from './receiver.ts';

/** Largest reply that is read. */
const maxReplyBytes = 1024 * 1024;

/** A request to one receiver. */
export interface ReceiverRequest {
  /** Default: POST. */
  readonly method?: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Address; more than one: peers that all get the request. */
  readonly url: string | readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  /** Default: no proxy. */
  readonly proxy?: HttpProxy;
  /** Called synchronously before the request is written; it is not written if this returns false. */
  readonly mayWrite?: () => boolean;
  /** Sent after the receiver has accepted this request. */
  readonly next?: ReceiverRequest;
  /** Waits for the responses of all peers, and names those that do not accept the request. */
  readonly awaitsEveryPeer?: boolean;
}

/** Maps the reply of one address to a result. */
export type EvaluateReply = (reply: Result<HttpReply, Failure>, url: string) => ReceiverResponse;

/** Sends requests to the addresses of one receiver. */
export interface HttpPeers {
  send(request: ReceiverRequest, now: number, evaluate: EvaluateReply, signal: AbortSignal): Promise<ReceiverResponse>;
  close(): Promise<void>;
}

/**
 * Opens the connections of a receiver. With several peers one success is enough: a peer that hangs does not delay the
 * result after another peer has accepted, and gets the bodies that it missed after its reply.
 */
export function openHttpPeers(ports: ConnectionPorts, tls?: TlsSettings): HttpPeers {
  const single = openClient(ports, tls);
  const peers = new Map<string, Peer>();
  const peerAt = (url: string): Peer => {
    const peer = peers.get(url) ?? openPeer(url, openClient(ports, tls));
    peers.set(url, peer);
    return peer;
  };
  return {
    async send(request, now, evaluate, signal) {
      const [first = '', ...others] = typeof request.url === 'string' ? [request.url] : request.url;
      if (others.length === 0) return evaluate(await single.post(first, request, signal), first);
      const all = [first, ...others].map(peerAt);
      const free = all.filter((peer) => peer.isFree(now));
      const busy = all.filter((peer) => !free.includes(peer));
      for (const peer of busy) peer.enqueue(request);
      const posted = free.map((peer) => peer.post(request, now, evaluate, signal));
      const responses = [...posted, ...busy.map(() => Promise.resolve(busyPeer))];
      if (request.awaitsEveryPeer !== true) return combineResponses(await firstAcceptedOrAll(responses));
      const every = await Promise.all(responses);
      return withFailedPeers(combineResponses(every), every);
    },
    close: async () => void (await Promise.all([single.close(), ...[...peers.values()].map((peer) => peer.close())])),
  };
}

/** The ports of the connections. */
export type ConnectionPorts = Pick<NotifierPorts, 'openPool' | 'files'>;

interface Client {
  post(url: string, request: ReceiverRequest, signal: AbortSignal): Promise<Result<HttpReply, Failure>>;
  close(): Promise<void>;
}

/**
 * Keeps the connections to the latest origin through the latest proxy: both may come from a secret file that changes.
 */
function openClient({ openPool, files }: ConnectionPorts, tls: TlsSettings | undefined): Client {
  let current: { readonly origin: string; readonly proxy: HttpProxy | undefined; readonly pool: HttpPool } | undefined;

  async function poolOf(origin: string, proxy: HttpProxy | undefined): Promise<HttpPool> {
    if (current?.origin === origin && deepEqual(current.proxy, proxy)) return current.pool;
    const former = current;
    const through = proxy === undefined ? {} : { proxy };
    const pool = createReloadingPool({ origin, sockets: 2, tls, openPool, files, ...through });
    current = { origin, proxy, pool };
    await former?.pool.close();
    return pool;
  }

  return {
    async post(url, { method = 'POST', body, headers, proxy, mayWrite }, signal) {
      const { origin, pathname, search } = new URL(url);
      const pool = await poolOf(origin, proxy);
      const sent = { 'content-type': 'application/json', 'user-agent': 'graphwarden', ...headers };
      const path = pathname + search;
      const gate = mayWrite === undefined ? {} : { mayWrite };
      return await pool.request({ method, path, headers: sent, body, maxBytes: maxReplyBytes, ...gate }, signal);
    },
    async close() {
      await current?.pool.close();
      current = undefined;
    },
  };
}

/** How long a peer may hang while others reply. */
const peerTimeout: Millis = 30_000;

/** Number of requests that wait for a slow peer; the next re-send of open incidents replaces any further one. */
const maxWaiting = 4;

interface Peer {
  /** Whether no request to the peer is in flight; aborts one that has been for too long. */
  isFree(now: number): boolean;
  post(request: ReceiverRequest, now: number, evaluate: EvaluateReply, signal: AbortSignal): Promise<ReceiverResponse>;
  /** Sends the request after the one in flight has ended. */
  enqueue(request: ReceiverRequest): void;
  close(): Promise<void>;
}

function openPeer(url: string, client: Client): Peer {
  let inFlight: { readonly since: number; readonly end: AbortController } | undefined;
  let waiting: readonly ReceiverRequest[] = [];
  return {
    isFree(now) {
      if (inFlight === undefined || Math.abs(now - inFlight.since) < peerTimeout) return inFlight === undefined;
      inFlight.end.abort();
      inFlight = undefined;
      return true;
    },
    async post(request, now, evaluate, signal) {
      const own = { since: now, end: new AbortController() };
      [inFlight, waiting] = [own, []];
      const reply = await client.post(url, request, AbortSignal.any([signal, own.end.signal]));
      void sendWaiting(own);
      return evaluate(reply, url);
    },
    enqueue(request) {
      waiting = [...waiting, request].slice(-maxWaiting);
    },
    async close() {
      waiting = [];
      inFlight?.end.abort();
      await client.close();
    },
  };

  /** In order, so that a resolve never overtakes its trigger. */
  async function sendWaiting(own: NonNullable<typeof inFlight>): Promise<void> {
    while (inFlight === own) {
      const [next, ...later] = waiting;
      if (next === undefined) inFlight = undefined;
      else {
        waiting = later;
        await client.post(url, next, own.end.signal);
      }
    }
  }
}

function firstAcceptedOrAll(pending: readonly Promise<ReceiverResponse>[]): Promise<readonly ReceiverResponse[]> {
  return new Promise((resolve) => {
    for (const one of pending) void one.then((response) => response.kind === 'accepted' && resolve([response]));
    void Promise.all(pending).then(resolve);
  });
}

function withFailedPeers(combined: ReceiverResponse, responses: readonly ReceiverResponse[]): ReceiverResponse {
  const failed = responses.flatMap((response) =>
    response.kind === 'accepted' ? [] : `${response.request?.url ?? 'a peer'}: ${response.message}`,
  );
  return combined.kind !== 'accepted' || failed.length === 0 ? combined : { ...combined, but: failed.join(', ') };
}

/** Response of a peer that has not replied to an earlier request: it gets this one afterwards. */
const busyPeer: RetriedResponse = {
  kind: 'unavailable',
  answered: false,
  timedOut: false,
  message: 'the peer has not replied to the previous request',
};

/**
 * Order of results: those that graphwarden can handle, then those that end by waiting, then those that a person must
 * fix.
 */
const precedence = ['accepted', 'refused', 'limited', 'unavailable', 'broken'] as const;

/** Returns the response that comes first. A rejection contains the response of a peer that may accept the request later. */
function combineResponses(responses: readonly ReceiverResponse[]): ReceiverResponse {
  const [first = busyPeer, ...others] = responses.toSorted(
    (one, other) => precedence.indexOf(one.kind) - precedence.indexOf(other.kind),
  );
  if (first.kind !== 'refused') return first;
  const otherPeer = others.find(isRetried);
  return otherPeer === undefined ? first : { ...first, otherPeer };
}

function isRetried(response: ReceiverResponse): response is RetriedResponse {
  return response.kind !== 'accepted' && response.kind !== 'refused';
}
