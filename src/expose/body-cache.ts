import { Buffer } from 'node:buffer';
import type { Millis } from '../kernel/time.ts';
import { type Family, type Fragment, renderHeader } from './fragment.ts';
import { deflateSegment, joinSegments, type Segment, storeSegment } from './gzip.ts';
import type { Format } from './metrics-page.ts';

/** Minimum size for deflating, in bytes. */
const deflateThreshold = 1024;

/** Time after the last gzip scrape during which fragments are deflated when they arrive. */
const gzipIdleTime: Millis = 600_000;

interface RenderedBody {
  readonly pieces: readonly Uint8Array[];
  gzip?: Promise<Segment>;
}

/**
 * Stable part of the page between two polls, in both formats, plain and deflated. Long fragments are deflated before
 * they become part of the page, so that no scrape waits for them; each is a segment that ends on a byte boundary, and
 * only fragments of changed sources are deflated again. Short parts (headers, and all fragments of small clusters) are
 * deflated by the first scrape after a change. Polls between two scrapes therefore join and deflate nothing twice, and a
 * scrape shows every result whose `put` has ended.
 */
export class BodyCache {
  readonly #families: () => readonly ShownFamily[];
  readonly #segments = new WeakMap<Uint8Array, Promise<Segment>>();
  readonly #renderings = new Map<Format, RenderedBody>();
  /** End of the time in which {@link prepare} deflates, on the monotonic clock: many scrapers never request gzip. */
  #gzipUntil = Number.NEGATIVE_INFINITY;
  #deflating = 0;

  /** `families` is called by the first scrape after each {@link invalidate}. */
  constructor(families: () => readonly ShownFamily[]) {
    this.#families = families;
  }

  /** Whether bytes, perhaps of removed fragments, are being deflated now. */
  get isDeflating(): boolean {
    return this.#deflating > 0;
  }

  /** Marks the page as changed. */
  invalidate(): void {
    this.#renderings.clear();
  }

  /** Deflates a long fragment before it becomes part of the page, if a recent scrape requested gzip. */
  async prepare(bytes: Uint8Array, now: Millis): Promise<void> {
    if (bytes.length >= longFragmentBytes && now < this.#gzipUntil) await this.#segment(bytes);
  }

  /** Returns the plain bytes. */
  plain(format: Format): readonly Uint8Array[] {
    return this.#rendering(format).pieces;
  }

  /** Returns the deflated bytes, as one segment. */
  gzip(format: Format, now: Millis): Promise<Segment> {
    this.#gzipUntil = now + gzipIdleTime;
    const rendering = this.#rendering(format);
    rendering.gzip ??= Promise.all(rendering.pieces.map((piece) => this.#segment(piece))).then(joinSegments);
    return rendering.gzip;
  }

  #rendering(format: Format): RenderedBody {
    const known = this.#renderings.get(format);
    if (known !== undefined) return known;
    const rendering: RenderedBody = { pieces: joinFamilies(this.#families(), format) };
    this.#renderings.set(format, rendering);
    return rendering;
  }

  #segment(bytes: Uint8Array): Promise<Segment> {
    const known = this.#segments.get(bytes);
    if (known !== undefined) return known;
    const segment = bytes.length < deflateThreshold ? Promise.resolve(storeSegment(bytes)) : this.#deflate(bytes);
    this.#segments.set(bytes, segment);
    return segment;
  }

  async #deflate(bytes: Uint8Array): Promise<Segment> {
    this.#deflating += 1;
    try {
      return await deflateSegment(bytes);
    } finally {
      this.#deflating -= 1;
    }
  }
}

/** Fragments from this size stay separate; shorter ones are joined with their neighbors. */
export const longFragmentBytes = 8192;

/** Approximate maximum size of joined neighbors. */
const maxRunBytes = 262_144;

/** A family with its exposed lines. */
export interface ShownFamily {
  readonly family: Family;
  readonly parts: readonly ShownFragment[];
}

/** Exposed lines of a fragment; the fragment's own bytes if all lines are exposed. */
export interface ShownFragment {
  readonly fragment: Fragment;
  readonly bytes: Uint8Array;
  /** The same with exemplars; absent if any line is dropped, because a duplicate is an error anyway. */
  readonly annotated?: Uint8Array;
  readonly series: number;
}

/**
 * Selects the exposed lines of a family from its fragments by rank. The first fragment determines the type; fragments
 * of another type and duplicate lines are dropped.
 */
export function shownFamily(fragments: readonly Fragment[]): ShownFamily | undefined {
  const first = fragments[0];
  if (first === undefined) return undefined;
  const agreeing = fragments.filter(({ family }) => family.type === first.family.type);
  const perBase = Map.groupBy(agreeing, ({ base }) => base);
  const seen = new Map([...perBase].map(([base, same]) => [base, same.length > 1 ? new Set<string>() : undefined]));
  return { family: first.family, parts: agreeing.map((one) => withoutRepeats(one, seen.get(one.base))) };
}

/** Returns the number of exposed series of one fragment, given its siblings: only fragments with the same base can have duplicates. */
export function shownSeries(siblings: readonly Fragment[], fragment: Fragment): number {
  return shownFamily(siblings)?.parts.find((one) => one.fragment === fragment)?.series ?? 0;
}

function wholeFragment(fragment: Fragment): ShownFragment {
  const { lines, annotated } = fragment;
  return { fragment, bytes: lines.bytes, ...(annotated && { annotated }), series: lines.keys.length };
}

/** Without a set there is nothing to compare: lines of different bases differ. */
function withoutRepeats(fragment: Fragment, seen: Set<string> | undefined): ShownFragment {
  if (seen === undefined) return wholeFragment(fragment);
  const { bytes, keys, offsets } = fragment.lines;
  const lines: Uint8Array[] = [];
  for (let at = 0; at < keys.length; at += 1) {
    // Any encoding of single bytes is exact enough for a comparison, and this one is the fastest.
    const [from, to] = [offsets[2 * at], offsets[2 * at + 2]];
    const prefix = bytes.toString('latin1', from, offsets[2 * at + 1]);
    if (!seen.has(prefix)) lines.push(bytes.subarray(from, to));
    seen.add(prefix);
  }
  return lines.length === keys.length
    ? wholeFragment(fragment)
    : { fragment, bytes: Buffer.concat(lines), series: lines.length };
}

/**
 * Splits the stable part of the page into pieces. Long fragments are separate pieces: both formats share the pieces
 * without exemplars and their deflated form.
 */
export function joinFamilies(families: readonly ShownFamily[], format: Format): readonly Uint8Array[] {
  const names = new Set(families.map(({ family }) => family.name));
  const pieces = new PieceJoiner();
  for (const { family, parts } of families) {
    pieces.add(Buffer.from(renderHeader(family, format, (name) => names.has(name))));
    for (const { bytes, annotated = bytes } of parts) pieces.add(format === 'openmetrics' ? annotated : bytes);
  }
  return pieces.done();
}

class PieceJoiner {
  readonly #pieces: Uint8Array[] = [];
  #run: Uint8Array[] = [];
  #length = 0;

  add(bytes: Uint8Array): void {
    if (bytes.length >= longFragmentBytes || this.#length > maxRunBytes) this.#endRun();
    if (bytes.length >= longFragmentBytes) this.#pieces.push(bytes);
    else {
      this.#run.push(bytes);
      this.#length += bytes.length;
    }
  }

  done(): readonly Uint8Array[] {
    this.#endRun();
    return this.#pieces;
  }

  #endRun(): void {
    if (this.#run.length > 0) this.#pieces.push(Buffer.concat(this.#run));
    this.#run = [];
    this.#length = 0;
  }
}
