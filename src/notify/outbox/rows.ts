import { z } from 'zod';
import type { Change, Row } from '../../kernel/store.ts';
import { severities } from '../../model/alert.ts';
import { type Episode, freshEffort, hearings } from './episode.ts';
import type { Folded } from './folded.ts';
import type { Lane } from './lane.ts';
import type { Outage } from './outage.ts';

/** The tables of delivery. */
export const tables = { lanes: 'lanes', notifications: 'notifications' } as const;

const time = z.number().min(-8.64e15).max(8.64e15);
const texts = z.record(z.string(), z.string());
const outage = z.object({ since: time, answeringSince: time.exactOptional() });

const alert = z.object({
  key: z.string().min(1),
  episode: z.int(),
  rule: z.string(),
  severity: z.enum(severities),
  labels: texts,
  annotations: texts,
  status: z.enum(['firing', 'resolved']),
  startsAt: time,
  endsAt: time.exactOptional(),
  generatorUrl: z.string(),
});

const episode = z.object({
  alert,
  heard: z.enum(hearings),
  due: time,
  endDue: time.exactOptional(),
  again: z.boolean(),
  over: z.boolean(),
  group: texts,
  groupWait: z.number().min(0),
  fallback: z.string().exactOptional(),
  outage: outage.exactOptional(),
  parked: z.object({ why: z.enum(['refused', 'hopeless']), at: time }).exactOptional(),
});

const folded = z.object({
  count: z.int().min(0),
  newest: z.array(
    z.object({
      key: z.string(),
      episode: z.int(),
      summary: z.string(),
      severity: z.enum(severities),
      startsAt: time,
      endsAt: time,
    }),
  ),
});

const laneOwed = z.object({ episodes: z.array(episode) });
const standing = z.object({ folded, outage: outage.exactOptional(), brokenSince: time.exactOptional() });
const row = z.object({ receiver: z.string().min(1), key: z.string(), owed: z.string() });

/** What is remembered of a receiver beside its lanes. */
export interface Standing {
  readonly folded: Folded;
  readonly outage?: Outage;
  /** ms since the epoch. */
  readonly brokenSince?: number;
}

/** The lane as it is to be stored; nothing of it where nothing is owed. */
export function laneKept(receiver: string, { key, episodes }: Lane): Change {
  if (episodes.length === 0) return { table: tables.lanes, drop: { receiver, key } };
  const kept = episodes.map((one) => ({ ...one, effort: undefined }));
  return { table: tables.lanes, put: { receiver, key, owed: JSON.stringify({ episodes: kept }) } };
}

/** What is to be remembered of a receiver; nothing where all is well. Its key is that of no lane. */
export function standingKept(receiver: string, kept: Standing): Change {
  if (kept.folded.count === 0 && kept.outage === undefined) {
    return { table: tables.lanes, drop: { receiver, key: '' } };
  }
  return { table: tables.lanes, put: { receiver, key: '', owed: JSON.stringify(kept) } };
}

/** Nothing more is owed to a receiver. */
export function receiverDropped(receiver: string): Change {
  return { table: tables.lanes, drop: { receiver } };
}

/** What a row tells; undefined for a row that tells nothing. */
export function storedOf(found: Row): Stored | undefined {
  const read = row.safeParse(found);
  if (!read.success) return undefined;
  const { receiver, key, owed } = read.data;
  const value = jsonOf(owed);
  if (key === '') {
    const kept = standing.safeParse(value);
    return kept.success ? { kind: 'standing', receiver, standing: kept.data } : undefined;
  }
  const kept = laneOwed.safeParse(value);
  if (!kept.success) return undefined;
  return { kind: 'lane', receiver, lane: { key, episodes: kept.data.episodes.map(revive) } };
}

/** A row of the table `lanes`, understood. */
export type Stored =
  | { readonly kind: 'lane'; readonly receiver: string; readonly lane: Lane }
  | { readonly kind: 'standing'; readonly receiver: string; readonly standing: Standing };

/** One line of the history of notifications. `at` is ms since the epoch. */
export interface Notification {
  readonly at: number;
  readonly receiver: string;
  readonly key: string;
  readonly episode: number;
  readonly action: string;
  readonly result: string;
}

/** Adds a line to the history. */
export function notificationAdded({ receiver, key, episode: number, action, result, ...line }: Notification): Change {
  const at = Math.round(line.at);
  const id = JSON.stringify([at, receiver, key, number, action]);
  return { table: tables.notifications, put: { id, at, receiver, key, episode: number, action, result } };
}

function revive(kept: Omit<Episode, 'effort'>): Episode {
  return { ...kept, effort: freshEffort(Number.NEGATIVE_INFINITY) };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
