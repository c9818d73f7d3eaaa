import { type Failure, failure } from '../kernel/failure.ts';

const mebibyte = 1_048_576;

/** Bounds of one JSON reply, checked before it is parsed. */
export interface ReplyLimits {
  /** Compressed and uncompressed; the configured `limits.body` may be lower. */
  readonly bytes: number;
  /** Members and elements of all objects and lists together. */
  readonly values: number;
  /** Members of one object, or elements of one list. */
  readonly entries: number;
}

/** Levels of objects and lists in a reply. The deepest reply of the server has seven. */
export const maxDepth = 32;

/** Bytes of one string, key or number. The server accepts urls of 8 kB. */
export const maxTextLength = 262_144;

/** Metric families of a page. The server has less than 200. */
export const maxFamilies = 2000;

/**
 * Limits by the kind of a reply, many times what large clusters send. `status`: one fact. `table`: rows per host, service
 * or endpoint; a cluster of 100 nodes sends 1 MB. `list`: one entry per query or vertex. `page`: text, bounded by its parser.
 */
export const replyLimits = {
  status: { bytes: mebibyte, values: 10_000, entries: 1000 },
  table: { bytes: 16 * mebibyte, values: 500_000, entries: 20_000 },
  list: { bytes: 32 * mebibyte, values: 1_000_000, entries: 150_000 },
  page: { bytes: 32 * mebibyte, values: 0, entries: 0 },
} as const satisfies Readonly<Record<string, ReplyLimits>>;

/** Key of {@link replyLimits}. */
export type ReplyKind = keyof typeof replyLimits;

/** Failure of a reply that has more than `most` bytes, levels, values, entries of one container, or bytes of one text. */
export function overLimit(limit: 'bytes' | 'depth' | 'values' | 'entries' | 'text', most: number): Failure {
  const units = {
    bytes: 'bytes',
    depth: 'levels',
    values: 'values',
    entries: 'entries in one list',
    text: 'bytes in one text',
  };
  return failure('too_large', `the response has more than ${most} ${units[limit]}`, { limit });
}
