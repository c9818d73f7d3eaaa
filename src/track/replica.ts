import type { Instant, Millis } from '../kernel/time.ts';
import type { ServiceState } from '../model/service.ts';
import { absent, unobserved } from '../model/transition.ts';
import { type Changes, isFlapping, noted } from './flapping.ts';
import type { TrackerSettings } from './settings.ts';

/** What the tracker remembers of one replica. Times are ms since the epoch, those on the other clock say so. */
export interface TrackedReplica {
  readonly service: string;
  readonly partition: string;
  readonly replica: string;
  readonly observed: string;
  readonly observedSince: number;
  /** When `observed` began, on the monotonic clock. */
  readonly began: number;
  readonly hard: string;
  readonly hardSince: number;
  /** The last that was observed and not {@link unobserved}; `''` before the first. */
  readonly status: string;
  /** Observations of `status` in a row; not being able to ask between two of them contradicts neither. */
  readonly seen: number;
  /** Answers in a row that had nothing new to say of it. */
  readonly silent: number;
  /** Good answers in a row that it was missing from. */
  readonly missed: number;
  readonly missingSince: number | undefined;
  readonly process: string;
  readonly eventId: string;
  readonly eventNs: string;
  readonly source: string;
  readonly changes: Changes;
  readonly flapping: boolean;
  /** The code in the server's metrics; undefined where they have none. */
  readonly code: number | undefined;
  /** Since when that contradicts `observed`, on the monotonic clock. */
  readonly contradictedSince: number | undefined;
  readonly disputed: boolean;
  /** Transitions by what they led to. */
  readonly counts: Readonly<Record<string, number>>;
  /** How long this process has observed it, and how long it was online of that. */
  readonly observedFor: Millis;
  readonly onlineFor: Millis;
}

/** The circumstances of an observation. */
export interface Hearing {
  readonly source: string;
  readonly now: Instant;
  readonly settings: TrackerSettings;
}

/** Answers without news that the last status outlives. */
const longestSilence = 3;

/** A replica of which nothing was observed yet. */
export function unknownReplica(
  id: Pick<TrackedReplica, 'service' | 'partition' | 'replica'>,
  now: Instant,
): TrackedReplica {
  return {
    service: id.service,
    partition: id.partition,
    replica: id.replica,
    observed: '',
    observedSince: now.wall,
    began: now.mono,
    hard: unobserved,
    hardSince: now.wall,
    status: '',
    seen: 0,
    silent: 0,
    missed: 0,
    missingSince: undefined,
    process: '',
    eventId: '',
    eventNs: '',
    source: '',
    changes: '',
    flapping: false,
    code: undefined,
    contradictedSince: undefined,
    disputed: false,
    counts: {},
    observedFor: 0,
    onlineFor: 0,
  };
}

/** A good answer told of it. */
export function heard(known: TrackedReplica, told: ServiceState, hearing: Hearing): TrackedReplica {
  const here = { ...known, missed: 0, missingSince: undefined };
  if (told.status === 'StatusUnchanged') return unchanged(here, told, hearing);
  if (isOutdated(known, told, hearing.source)) {
    return told.status === known.status ? observe(here, told.status, hearing) : silent(here, hearing);
  }
  const { process, eventId, timestampNs: eventNs } = told;
  return observe({ ...here, process, eventId, eventNs, source: hearing.source }, told.status, hearing);
}

/** A good answer did not mention it. Once that is confirmed, it is absent for good: there is nothing to wait for twice. */
export function missed(known: TrackedReplica, hearing: Hearing): TrackedReplica {
  const missing = { ...known, missed: known.missed + 1, missingSince: known.missingSince ?? hearing.now.wall };
  if (missing.missed < hearing.settings.confirm) return missing;
  const gone = observe({ ...missing, process: '', eventId: '', source: hearing.source }, absent, hearing);
  return { ...gone, hard: absent, hardSince: gone.hard === absent ? gone.hardSince : gone.observedSince };
}

/** Nobody could be asked. What was hard stays so: that we do not see is no news of the service. */
export function unasked(known: TrackedReplica, now: Instant): TrackedReplica {
  return { ...turned(known, unobserved, now), silent: 0, contradictedSince: undefined, disputed: false };
}

/** What has been observed often or long enough becomes hard. */
export function hardened(known: TrackedReplica, { now, settings }: Omit<Hearing, 'source'>): TrackedReplica {
  if (known.observed === unobserved || known.observed === known.hard) return known;
  const lasted = settings.hold > 0 && now.mono - known.began >= settings.hold;
  if (known.seen < settings.confirm && !lasted) return known;
  return { ...known, hard: known.observed, hardSince: known.observedSince };
}

/** The word stands for no news, and is what absent news look like too: it says that the last status holds. */
function unchanged(known: TrackedReplica, told: ServiceState, hearing: Hearing): TrackedReplica {
  const kept = silent({ ...known, process: told.process === '' ? known.process : told.process }, hearing);
  return kept.observed === unobserved ? kept : { ...observe(kept, kept.status, hearing), silent: kept.silent };
}

/** The last status holds for a while, if there is one. */
function silent(known: TrackedReplica, { now }: Hearing): TrackedReplica {
  const next = { ...known, silent: known.silent + 1 };
  const holds = known.observed === known.status && known.status !== absent && known.status !== '';
  return holds && next.silent <= longestSilence ? next : turned(next, unobserved, now);
}

function observe(known: TrackedReplica, status: string, hearing: Hearing): TrackedReplica {
  const { now, settings } = hearing;
  const again = status === known.status;
  const changes = noted(known.changes, !again && known.status !== '', settings.flapping);
  const next = {
    ...turned(known, status, now),
    status,
    seen: again ? known.seen + 1 : 1,
    silent: 0,
    changes,
    flapping: isFlapping(changes, known.flapping, settings.flapping),
  };
  return hardened(next, hearing);
}

/** Times of one replica only grow, also where the wall clock steps back: its timeline stays in order. */
function turned(known: TrackedReplica, observed: string, now: Instant): TrackedReplica {
  if (known.observed === observed) return known;
  const observedSince = known.observed === '' ? now.wall : Math.max(now.wall, known.observedSince + 1);
  return { ...known, observed, observedSince, began: now.mono };
}

/** Another node may lag behind the one that told last, and says what was true before. */
function isOutdated(known: TrackedReplica, told: ServiceState, source: string): boolean {
  return known.source !== '' && known.source !== source && isOlder(told.timestampNs, known.eventNs);
}

/** Both are decimal texts with more digits than a double holds. */
function isOlder(one: string, other: string): boolean {
  if (!/^\d+$/.test(one) || !/^\d+$/.test(other)) return false;
  return BigInt(one) < BigInt(other);
}
