import type { Instant } from '../../kernel/time.ts';
import type { Detail, MissedIncident, NotificationRequest, ReceiverResponse } from '../notifier.ts';
import type { QueuedIncident } from './queued-incident.ts';
import { incidentName } from './reconcile-queue.ts';

/** Incidents that a receiver was not notified of individually. */
export interface MissedIncidents {
  /** The newest of them, oldest first. */
  readonly newest: readonly MissedIncident[];
  readonly count: number;
}

/** No missed incidents. */
export const noMissedIncidents: MissedIncidents = { newest: [], count: 0 };

const maxListed = 50;
const maxSummaryLength = 300;

/** Adds an incident that began and ended before its trigger was sent. */
export function withMissed({ newest, count }: MissedIncidents, { alert }: QueuedIncident): MissedIncidents {
  const { key, episode, severity, startsAt } = alert;
  const summary = (alert.annotations.summary ?? '').slice(0, maxSummaryLength);
  const endsAt = alert.endsAt ?? startsAt;
  const entry = { key, episode, summary, severity, startsAt, endsAt };
  return { newest: [...newest, entry].slice(-maxListed), count: count + 1 };
}

/** Returns the union of two lists of missed incidents; incidents that are in both count once. */
export function mergeMissed(one: MissedIncidents, other: MissedIncidents): MissedIncidents {
  const known = new Set(one.newest.map(incidentName));
  const added = other.newest.filter((incident) => !known.has(incidentName(incident)));
  const unlisted = other.count - other.newest.length;
  const newest = [...added, ...one.newest].toSorted((first, second) => first.endsAt - second.endsAt);
  return { newest: newest.slice(-maxListed), count: one.count + added.length + unlisted };
}

/** Returns the incidents missed since a digest with `reported` was sent. */
export function missedSince(folded: MissedIncidents, reported: MissedIncidents): MissedIncidents {
  const count = folded.count - reported.count;
  return { newest: count > 0 ? folded.newest.slice(-count) : [], count };
}

const reducedDetail = { full: 'short', short: 'minimal', minimal: undefined } as const;

/** Collects the incidents that one receiver missed until it accepts a digest of them. */
export class MissedDigest {
  #incidents: MissedIncidents;
  /** Earliest monotonic time of the digest: the first missed incidents plus their group wait. */
  #notBefore = Number.NEGATIVE_INFINITY;
  #detail: Detail = 'full';

  constructor(folded: MissedIncidents) {
    this.#incidents = folded;
  }

  get incidents(): MissedIncidents {
    return this.#incidents;
  }

  get detail(): Detail {
    return this.#detail;
  }

  /** Monotonic time at which a digest is due; undefined without missed incidents. */
  get dueAt(): number | undefined {
    return this.#incidents.count > 0 ? this.#notBefore : undefined;
  }

  /** Adds incidents that began and ended before their trigger was sent. */
  add(episodes: readonly QueuedIncident[], now: Instant): void {
    if (this.#incidents.count === 0)
      this.#notBefore = now.mono + Math.max(0, ...episodes.map(({ groupWait }) => groupWait));
    this.#incidents = episodes.reduce(withMissed, this.#incidents);
  }

  /** Adds the listed incidents of a stored digest, except the known ones. */
  adopt(stored: MissedIncidents, known: ReadonlySet<string>): void {
    const newest = stored.newest.filter((incident) => !known.has(incidentName(incident)));
    this.#incidents = mergeMissed(this.#incidents, { newest, count: newest.length });
  }

  /** Returns the current digest. `since` is the start of the receiver's outage, if it had one. */
  request(open: number, since: number | undefined): NotificationRequest {
    const { newest, count } = this.#incidents;
    return { kind: 'digest', missed: newest, count, open, ...(since === undefined ? {} : { since }) };
  }

  /** Handles the response to a digest of `reported`; returns true if the digest is finished, accepted or not. */
  settle(reported: MissedIncidents, answer: ReceiverResponse): boolean {
    const detail = answer.kind === 'refused' ? reducedDetail[this.#detail] : this.#detail;
    if (answer.kind !== 'accepted' && detail !== undefined) {
      this.#detail = detail;
      return false;
    }
    this.#incidents = missedSince(this.#incidents, reported);
    this.#detail = 'full';
    return true;
  }
}
