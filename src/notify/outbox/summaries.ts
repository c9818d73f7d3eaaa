import type { Instant, Millis } from '../../kernel/time.ts';

/** Most groups with notifications about one subject that are sent separately; more become one summary. */
export const maxSeparateGroups = 5;

/** Most incidents in one summary. */
export const maxSummarized = 500;

/** Number of groups within a period after which further groups wait until the period ends. */
const maxGroupsPerPeriod = 3;
const period: Millis = 15_000;

/** A notification for {@link Summaries}. */
export interface SubjectNotification {
  /** Action and rule of the summary. */
  readonly subject: string;
  readonly group: AlertGroup;
  /** ms since the epoch. */
  readonly due: number;
}

interface Period {
  /** On the monotonic clock. */
  readonly startedAt: number;
  readonly groups: Set<string>;
}

/**
 * Recent requests of one receiver by subject. They delay further notifications about a subject for some seconds, so that
 * a cause that many groups share, such as a host of many clusters, becomes a few messages and one summary. Not stored.
 */
export class Summaries {
  readonly #periods = new Map<string, Period>();
  /** When the summary of a subject is sent, on the monotonic clock. */
  #deadlines: ReadonlyMap<string, number> = new Map();

  /** Returns the monotonic time until which notifications wait, by subject. */
  delays(waiting: readonly SubjectNotification[], now: Instant): ReadonlyMap<string, number> {
    const delays = new Map<string, number>();
    for (const [subject, { startedAt, groups }] of this.#periods) {
      if (now.mono >= startedAt + period) this.#periods.delete(subject);
      else if (groups.size >= maxGroupsPerPeriod) delays.set(subject, startedAt + period);
    }
    const crowded = [...Map.groupBy(waiting, (one) => one.subject)].filter(
      ([, own]) => groupCount(own) > maxSeparateGroups,
    );
    this.#deadlines = new Map(crowded.map(([subject, own]) => [subject, this.#deadlineOf(subject, own, now)]));
    for (const [subject, deadline] of this.#deadlines) delays.set(subject, deadline);
    return delays;
  }

  /** Returns the end of the period since the first notification was due. It stays the same if the wall clock is set. */
  #deadlineOf(subject: string, own: readonly SubjectNotification[], { wall, mono }: Instant): number {
    const waited = wall - Math.min(...own.map(({ due }) => due));
    return this.#deadlines.get(subject) ?? mono + Math.min(period, period - waited);
  }

  /** Records that a request contains these notifications. */
  markSent(sent: readonly SubjectNotification[], { mono }: Instant): void {
    for (const { subject, group } of sent) {
      const known = this.#periods.get(subject);
      const isOver = known === undefined || mono >= known.startedAt + period;
      const current = isOver ? { startedAt: mono, groups: new Set<string>() } : known;
      current.groups.add(groupKey(group));
      this.#periods.set(subject, current);
    }
  }
}

/** Returns the number of groups of notifications. */
export function groupCount(notifications: readonly SubjectNotification[]): number {
  return new Set(notifications.map(({ group }) => groupKey(group))).size;
}

type AlertGroup = Readonly<Record<string, string>>;

/** Returns a key that is equal for equal groups. */
export function groupKey(group: AlertGroup): string {
  const known = keys.get(group);
  if (known !== undefined) return known;
  const key = JSON.stringify(Object.entries(group).toSorted(([one], [other]) => (one < other ? -1 : 1)));
  keys.set(group, key);
  return key;
}

/** Cached keys, because each selection of a request compares all pending notifications. */
const keys = new WeakMap<AlertGroup, string>();
