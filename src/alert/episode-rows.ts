import { z } from 'zod';
import type { Change, Row } from '../kernel/store.ts';
import type { Instant } from '../kernel/time.ts';
import { severities } from '../model/alert.ts';
import type { Silence } from './alerting.ts';
import type { Episode } from './episode.ts';

/** The tables of alerting. */
export const tables = { episodes: 'episodes', counters: 'counters', silences: 'silences' } as const;

const time = z.number().min(-8.64e15).max(8.64e15);
const texts = z.record(z.string(), z.string());

/** A column that holds JSON of the shape of `schema`. */
function json<T>(schema: z.ZodType<T>) {
  return z.string().transform((text, context) => {
    try {
      return schema.parse(JSON.parse(text));
    } catch {
      context.issues.push({ code: 'custom', message: 'is not what was stored', input: '' });
      return z.NEVER;
    }
  });
}

const episodeRow = z.object({
  place: z.string().min(1),
  key: z.string().min(1),
  number: z.int().min(1),
  cluster: z.string(),
  rule: z.string().min(1),
  severity: z.enum(severities),
  starts_at: time,
  labels: json(texts),
  identity: json(texts),
  facts: json(texts),
  annotations: json(texts),
  told: json(z.record(z.string(), time)),
});

const counterRow = z.object({ name: z.literal('episode'), value: z.int().min(0) });

const silenceRow = z.object({
  id: z.string().min(1),
  match: json(z.record(z.string(), z.array(z.string()))),
  starts_at: time,
  ends_at: time,
  author: z.string(),
  reason: z.string(),
});

/** Keeps an episode that fires. */
export function episodeKept(episode: Episode): Change {
  const { place, key, number, cluster, rule, severity, startsAt, labels, identity, facts, annotations, told } = episode;
  return {
    table: tables.episodes,
    put: {
      place,
      key,
      number,
      cluster,
      rule,
      severity,
      starts_at: startsAt,
      labels: JSON.stringify(labels),
      identity: JSON.stringify(identity),
      facts: JSON.stringify(facts),
      annotations: JSON.stringify(annotations),
      told: JSON.stringify(told),
    },
  };
}

/** Forgets one that is over. */
export function episodeOver({ place }: Pick<Episode, 'place'>): Change {
  return { table: tables.episodes, drop: { place } };
}

/** An episode as it was stored, seen last at `now`; undefined for a row that is none. */
export function episodeOf(row: Row, now: Instant): Episode | undefined {
  const read = episodeRow.safeParse(row);
  if (!read.success) return undefined;
  const { starts_at: startsAt, ...stored } = read.data;
  return { ...stored, startsAt, phase: 'firing', hold: 0, receivers: [], seenAt: now, lastSo: now };
}

/** Keeps the highest number that an episode has had: it may have been ahead of the clock, and over before a restart. */
export function lastNumberKept(value: number): Change {
  return { table: tables.counters, put: { name: 'episode', value } };
}

/** That number as it was stored; 0 for a row that is none. */
export function lastNumberOf(row: Row): number {
  const read = counterRow.safeParse(row);
  return read.success ? read.data.value : 0;
}

/** Keeps a silence. */
export function silenceKept({ id, match, startsAt, endsAt, author, reason }: Silence): Change {
  const put = { id, match: JSON.stringify(match), starts_at: startsAt, ends_at: endsAt, author, reason };
  return { table: tables.silences, put };
}

/** Forgets one that is over. */
export function silenceOver(id: string): Change {
  return { table: tables.silences, drop: { id } };
}

/** A silence as it was stored; undefined for a row that is none. */
export function silenceOf(row: Row): Silence | undefined {
  const read = silenceRow.safeParse(row);
  if (!read.success) return undefined;
  const { id, match, starts_at: startsAt, ends_at: endsAt, author, reason } = read.data;
  return { id, match, startsAt, endsAt, author, reason };
}
