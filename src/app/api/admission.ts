import type { IncomingRequest, OutgoingReply } from '../../kernel/listener.ts';
import type { Logger } from '../../kernel/logger.ts';
import { historyTimeout } from '../../kernel/store.ts';
import type { Clock, Millis } from '../../kernel/time.ts';
import { counter, type Metric, type Sample, sample } from '../../metric/metric.ts';
import { problemReply } from './reply.ts';

/**
 * Routes that share limits. `history` reads the state database, and `probe` polls nodes; most other routes answer from
 * memory and have no limits.
 */
export type AdmissionClass = 'history' | 'probe' | 'stream';

interface AdmissionLimit {
  /** Requests of one client that are answered at the same time; equal probes count once. */
  readonly client: number;
  /** Requests of all clients that are answered at the same time. */
  readonly total: number;
  /** Time after which a request is answered with status 504. It counts as in progress until its read has ended. */
  readonly timeout?: Millis;
}

/** Limits by class of route, enough for 20 status pages of one address. */
const limits: Readonly<Record<AdmissionClass, AdmissionLimit>> = {
  history: { client: 4, total: 8, timeout: historyTimeout },
  probe: { client: 32, total: 64 },
  stream: { client: 20, total: 100 },
};

/** Rejections that are at least this far apart are logged as separate events. */
const quietPeriod: Millis = 60_000;

const rejected = counter({
  name: 'graphwarden_http_requests_rejected_total',
  help: 'Requests that were rejected or ended, by reason: history, probe or stream (status 429), history_timeout (504), stream_behind (subscriber with too many events), host (421) or origin (403).',
  labels: ['reason'],
  source: 'measured by graphwarden',
});

/** Metric families of the admission control. */
export const admissionMetrics: readonly Metric[] = [rejected];

/**
 * Reasons that are counted and logged. `stream_behind`: a subscriber of the event stream did not accept its events; `host` and
 * `origin`: the request is for a host name that is not known, or comes from another site.
 */
const reasons = ['history', 'history_timeout', 'probe', 'stream', 'stream_behind', 'host', 'origin'] as const;

/** Why a request is rejected or ended. */
export type RejectionReason = (typeof reasons)[number];

/** Meaning of status 429 in the reference. */
export const tooManyRequests = { 429: 'Too many requests of this client, or of all clients, are in progress.' };

/** Meaning of status 504 in the reference. */
const readTimedOut = { 504: `Reading the history took longer than ${historyTimeout / 1000} s.` };

/** Errors of every route that reads history. */
export const historyErrors = {
  ...tooManyRequests,
  503: 'The state database cannot be read.',
  ...readTimedOut,
};

/**
 * Limits the requests in progress, so that a client that reads cannot delay commits and other clients. Liveness,
 * readiness, metrics and operator actions are never limited.
 */
export class AdmissionControl {
  readonly #clock: Clock;
  readonly #log: Logger;
  /** Number of requests in progress by class, client and subject. */
  readonly #inProgress = new Map<AdmissionClass, Map<string, Map<string, number>>>();
  #requests = 0;
  readonly #rejected = new Map<RejectionReason, number>();
  readonly #rejectedAt = new Map<RejectionReason, number>();

  constructor(clock: Clock, log: Logger) {
    this.#clock = clock;
    this.#log = log;
  }

  /** Answers a request with `handle` if the limits of its class allow that, otherwise with status 429. */
  async answer(
    kind: AdmissionClass,
    request: IncomingRequest,
    handle: () => Promise<OutgoingReply>,
  ): Promise<OutgoingReply> {
    const client = clientOf(request);
    const clients = this.#inProgress.get(kind) ?? new Map<string, Map<string, number>>();
    const own = clients.get(client) ?? new Map<string, number>();
    const subject = this.#subjectOf(kind, request);
    const total = clients.values().reduce((all, { size }) => all + size, 0);
    const { client: most, total: maxTotal, timeout } = limits[kind];
    if (!own.has(subject) && (own.size >= most || total >= maxTotal)) {
      this.record(kind, client);
      const reply = problemReply(429, 'Too many requests are in progress. Repeat the request later.');
      return { ...reply, headers: { ...reply.headers, 'retry-after': '1' } };
    }
    this.#inProgress.set(kind, clients.set(client, own.set(subject, (own.get(subject) ?? 0) + 1)));
    const handled = releaseWhenSent(handle, () => {
      const left = (own.get(subject) ?? 1) - 1;
      if (left > 0) own.set(subject, left);
      else own.delete(subject);
      if (own.size === 0) clients.delete(client);
    });
    const reply = timeout === undefined ? await handled : await this.#withinTimeout(handled, timeout);
    if (reply !== undefined) return reply;
    this.record('history_timeout', client);
    return problemReply(504, readTimedOut[504]);
  }

  /** Counts a request that is rejected or ended, and logs it if there was none with this reason in the minute before. */
  record(reason: RejectionReason, client: string): void {
    const { mono } = this.#clock.now();
    const before = this.#rejectedAt.get(reason) ?? Number.NEGATIVE_INFINITY;
    this.#rejectedAt.set(reason, mono);
    this.#rejected.set(reason, (this.#rejected.get(reason) ?? 0) + 1);
    if (mono - before >= quietPeriod) this.#log.warn('requests rejected', { reason, client });
  }

  /** Yields the rejected requests by reason. */
  *samples(): Generator<Sample> {
    for (const reason of reasons) yield sample(rejected, { reason }, this.#rejected.get(reason) ?? 0);
  }

  /** Requests with the same subject count once: equal probes share one poll. */
  #subjectOf(kind: AdmissionClass, { query }: IncomingRequest): string {
    this.#requests += 1;
    return kind === 'probe' ? query.toString() : String(this.#requests);
  }

  /** Returns undefined if there is no reply in time. */
  async #withinTimeout(handled: Promise<OutgoingReply>, timeout: Millis): Promise<OutgoingReply | undefined> {
    const ended = new AbortController();
    const late = this.#clock.sleep(timeout, ended.signal).then(() => undefined);
    const reply = await Promise.race([handled, late]).finally(() => ended.abort());
    if (reply === undefined) void handled.then(({ onSent }) => onSent?.(), ignoreError);
    return reply;
  }
}

/** Name of a client: its user, or its address without one. */
export function clientOf({ user, remoteAddress }: IncomingRequest): string {
  return user ?? remoteAddress;
}

/** Ignores the failure of a read whose client already has a response. */
function ignoreError(): void {}

async function releaseWhenSent(handle: () => Promise<OutgoingReply>, release: () => void): Promise<OutgoingReply> {
  try {
    const reply = await handle();
    return {
      ...reply,
      onSent: () => {
        release();
        reply.onSent?.();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}
