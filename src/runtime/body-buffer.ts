/** Minimum size of a body that uses the shared memory. */
const longBodyBytes = 1_048_576;

/** Maximum bytes of long bodies that one pool receives at the same time: one of the largest, and some shorter ones. */
export const maxReceivedBytes = 41_943_040;

/** Complete body. */
export interface CollectedBody {
  readonly body: Uint8Array;
  /** Returns the memory of a long body for the next one; the body must not be used afterwards. */
  readonly release?: () => void;
}

/**
 * Memory for long bodies that come again and again: a page of 12 MB every few seconds, joined in fresh memory
 * each time, would keep the garbage collector busier than the parser.
 */
export class BodyBufferPool {
  #spareBuffer: Buffer | undefined;
  /** Size of the last long body, with some reserve. */
  #typicalSize = 0;
  /** Bytes of the long bodies in flight. */
  #received = 0;

  /**
   * Begins a body of at most `limit` bytes. Several may be under way; the spare memory is for the first that turns out to
   * be long.
   */
  startBody(limit: number): BodyCollector {
    return new BodyCollector(this, limit);
  }

  /** Adds bytes of a long body in flight; negative when it ends. Returns false above the limit. */
  count(bytes: number): boolean {
    this.#received += bytes;
    return this.#received <= maxReceivedBytes;
  }

  /** Returns memory for at least `length` bytes of a body of at most `limit` bytes. */
  acquire(length: number, limit: number): Buffer {
    const spare = this.#spareBuffer;
    if (spare === undefined || spare.length < length) {
      const size = length <= this.#typicalSize ? this.#typicalSize : Math.min(2 * length, Math.max(length, limit));
      return Buffer.allocUnsafeSlow(size);
    }
    this.#spareBuffer = undefined;
    return spare;
  }

  /** Keeps a released buffer for the next body, unless it is much larger than usual. */
  release(memory: Buffer, used: number): void {
    this.#typicalSize = Math.ceil(1.1 * used);
    this.#spareBuffer = memory.length <= 1.3 * used ? memory : undefined;
  }
}

/** Collects the chunks of one body. */
export class BodyCollector {
  readonly #pool: BodyBufferPool;
  readonly #limit: number;
  #counted = 0;
  #chunks: Uint8Array[] = [];
  #buffer: Buffer | undefined;
  #length = 0;

  constructor(room: BodyBufferPool, limit: number) {
    this.#pool = room;
    this.#limit = limit;
  }

  /** Adds a chunk, and copies it if the body is long. Returns false if the pool receives too much. */
  add(piece: Uint8Array): boolean {
    const length = this.#length + piece.length;
    if (length < longBodyBytes) {
      this.#chunks.push(piece);
      this.#length = length;
      return true;
    }
    const more = length - this.#counted;
    this.#counted = length;
    if (!this.#pool.count(more)) return false;
    this.#ensureCapacity(length).set(piece, this.#length);
    this.#length = length;
    return true;
  }

  /** Ends the body, complete or not. */
  end(): void {
    this.#pool.count(-this.#counted);
    this.#counted = 0;
  }

  /** Returns the received part of the body. */
  finish(): CollectedBody {
    const [memory, used] = [this.#buffer, this.#length];
    if (memory === undefined) return { body: Buffer.concat(this.#chunks) };
    return { body: memory.subarray(0, used), release: () => this.#pool.release(memory, used) };
  }

  #ensureCapacity(length: number): Buffer {
    const before = this.#buffer;
    if (before !== undefined && before.length >= length) return before;
    const larger = this.#pool.acquire(length, this.#limit);
    let at = 0;
    for (const piece of before === undefined ? this.#chunks : [before.subarray(0, this.#length)]) {
      larger.set(piece, at);
      at += piece.length;
    }
    this.#chunks = [];
    this.#buffer = larger;
    return larger;
  }
}
