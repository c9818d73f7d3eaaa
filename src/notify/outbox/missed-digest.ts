import type { Instant } from '../../kernel/time.ts';
import type { Detail, ReceiverResponse } from '../notifier.ts';
import { type AttemptResult, digestOutcomes, type SendAction } from './delivery-attempt.ts';
import { digestEntry, logChanges, type SettledDigest } from './delivery-log.ts';
import { type MissedIncidents, mergeMissed, missedOf, missedSince, withMissed } from './missed-incidents.ts';
import type { QueuedIncident } from './queued-incident.ts';
import { incidentName } from './reconcile-queue.ts';

const reducedDetail = { full: 'short', short: 'minimal', minimal: undefined } as const;

/** Collects the incidents that one receiver missed until it accepts a digest of them. */
export class MissedDigest {
  #incidents: MissedIncidents;
  /** Earliest monotonic time of the digest: the first missed incidents plus their group wait. */
  #notBefore = Number.NEGATIVE_INFINITY;
  #detail: Detail = 'full';
  #attempts = 0;
  #since: number | undefined;

  constructor(incidents: MissedIncidents) {
    this.#incidents = incidents;
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
  add(incidents: readonly QueuedIncident[], now: Instant): void {
    if (this.#incidents.count === 0) this.#since = now.wall;
    if (this.#incidents.count === 0)
      this.#notBefore = now.mono + Math.max(0, ...incidents.map(({ groupWait }) => groupWait));
    this.#incidents = incidents.reduce(withMissed, this.#incidents);
  }

  /** Adds the listed incidents of a stored digest, except the known ones. */
  adopt(stored: MissedIncidents, known: ReadonlySet<string>): void {
    const newest = stored.newest.filter((incident) => !known.has(incidentName(incident)));
    this.#incidents = mergeMissed(this.#incidents, { newest, count: newest.length });
  }

  /** Removes the incidents of clusters that have another owner. */
  forget(clusters: ReadonlySet<string>): void {
    this.#incidents = missedOf(this.#incidents, (cluster) => !clusters.has(cluster));
  }

  /** Returns the action that sends the current digest. `since` is the start of the receiver's outage, if it had one. */
  action(open: number, since: number | undefined): SendAction {
    const { newest, count } = this.#incidents;
    const outage = since === undefined ? {} : { since };
    const request = { kind: 'digest', missed: newest, count, open, ...outage } as const;
    const choice = { request, detail: this.#detail, attempts: new Map(), notifications: [] };
    return { kind: 'send', choice, digested: this.#incidents };
  }

  /** Handles the response to a digest: returns the entry of the delivery log, the outcomes, and whether the digest is finished. */
  finish(settled: SettledDigest): AttemptResult & { readonly isFinished: boolean } {
    const { reported, response } = settled;
    const about = { since: this.#since ?? settled.since, attempts: this.#attempts + 1 };
    const isFinished = this.settle(reported, response);
    const changes = logChanges([digestEntry({ ...settled, ...about, isFinished })]);
    return { changes, outcomes: digestOutcomes(response, isFinished), isFinished };
  }

  /** Handles the response to a digest of `reported`; returns true if the digest is finished, accepted or not. */
  settle(reported: MissedIncidents, answer: ReceiverResponse): boolean {
    const detail = answer.kind === 'refused' ? reducedDetail[this.#detail] : this.#detail;
    if (answer.kind !== 'accepted' && detail !== undefined) {
      this.#detail = detail;
      this.#attempts += 1;
      return false;
    }
    this.#attempts = 0;
    this.#incidents = missedSince(this.#incidents, reported);
    this.#detail = 'full';
    return true;
  }
}
