import type { Millis } from '../kernel/time.ts';
import { assemble, longFragment, type ShownFamily } from './assembly.ts';
import { deflateSegment, joinSegments, type Segment, storeSegment } from './gzip.ts';
import type { Format } from './page.ts';

/** Deflating pays from here on. */
const worthDeflating = 1024;

/** For how long after the last gzip scrape (and after the start) fragments are deflated as they arrive. */
const gzipPatience: Millis = 600_000;

interface Rendering {
  readonly pieces: readonly Uint8Array[];
  gzip?: Promise<Segment>;
}

/**
 * What the page shows between two readings, in both formats, plain and deflated.
 *
 * Long fragments are deflated before they become part of the page, so that no scrape waits for them; each is
 * a segment of its own that ends on a byte boundary, and only the fragments of the source that changed are
 * deflated again. What is short (headers, and everything of small clusters) is deflated by the first scrape
 * after a change. Thus many readings a second cost nothing, and a scrape shows every reading whose `put` ended.
 */
export class StablePart {
  readonly #families: () => readonly ShownFamily[];
  readonly #segments = new WeakMap<Uint8Array, Promise<Segment>>();
  readonly #renderings = new Map<Format, Rendering>();
  #gzipUntil: number;
  #deflating = 0;

  /** `families` is asked after each {@link changed}, when a scraper comes; `now` is monotonic. */
  constructor(families: () => readonly ShownFamily[], now: Millis) {
    this.#families = families;
    // A server that scrapes asks for gzip: the first scrape must not be the slow one.
    this.#gzipUntil = now + gzipPatience;
  }

  /** Whether bytes, perhaps of fragments that have left the page, are being read at present. */
  get busy(): boolean {
    return this.#deflating > 0;
  }

  /** Tells that the page shows something else now. */
  changed(): void {
    this.#renderings.clear();
  }

  /** Deflates what is long of a fragment that is about to become part of the page. */
  async prepare(bytes: Uint8Array, now: Millis): Promise<void> {
    if (bytes.length >= longFragment && now < this.#gzipUntil) await this.#segment(bytes);
  }

  /** The plain bytes. */
  plain(format: Format): readonly Uint8Array[] {
    return this.#rendering(format).pieces;
  }

  /** The deflated bytes, as one segment. */
  gzip(format: Format, now: Millis): Promise<Segment> {
    this.#gzipUntil = now + gzipPatience;
    const rendering = this.#rendering(format);
    rendering.gzip ??= Promise.all(rendering.pieces.map((piece) => this.#segment(piece))).then(joinSegments);
    return rendering.gzip;
  }

  #rendering(format: Format): Rendering {
    const known = this.#renderings.get(format);
    if (known !== undefined) return known;
    const rendering: Rendering = { pieces: assemble(this.#families(), format) };
    this.#renderings.set(format, rendering);
    return rendering;
  }

  #segment(bytes: Uint8Array): Promise<Segment> {
    const known = this.#segments.get(bytes);
    if (known !== undefined) return known;
    const segment = bytes.length < worthDeflating ? Promise.resolve(storeSegment(bytes)) : this.#deflate(bytes);
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
