const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Position of a text in its store. */
export interface TextRange {
  readonly at: number;
  /** Length in bytes. */
  readonly length: number;
}

/**
 * Texts one after the other in one buffer, so that 100,000 texts are neither 100,000 objects for the garbage collector nor
 * scattered in memory.
 */
export class SeriesStore {
  #bytes = new Uint8Array(4096);
  #view = new DataView(this.#bytes.buffer);
  #used = 0;

  /** Bytes of all texts. */
  get used(): number {
    return this.#used;
  }

  /** Adds a text. */
  add(text: string): TextRange {
    return this.#add(encoder.encode(text));
  }

  /** Adds a text of another store. */
  addFrom(other: SeriesStore, span: TextRange): TextRange {
    return this.#add(other.#bytesOf(span));
  }

  /** Returns an added text. */
  text(span: TextRange): string {
    return decoder.decode(this.#bytesOf(span));
  }

  /** Whether `page` has the text at byte `from`. Compares four bytes at a time. */
  matchesAt({ at, length }: TextRange, page: DataView, from: number): boolean {
    if (from + length > page.byteLength) return false;
    const view = this.#view;
    let next = 0;
    for (; next + 4 <= length; next += 4) {
      if (view.getInt32(at + next, true) !== page.getInt32(from + next, true)) return false;
    }
    for (; next < length; next += 1) if (view.getInt8(at + next) !== page.getInt8(from + next)) return false;
    return true;
  }

  #add(bytes: Uint8Array): TextRange {
    const span = { at: this.#used, length: bytes.length };
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, span.at);
    this.#used += bytes.length;
    return span;
  }

  #bytesOf({ at, length }: TextRange): Uint8Array {
    return this.#bytes.subarray(at, at + length);
  }

  #reserve(length: number): void {
    if (this.#used + length <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#used + length, 2 * this.#bytes.length));
    larger.set(this.#bytes);
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }
}
