/** Bodies from this size on are worth the trouble. */
const longBodyBytes = 1_048_576;

/** A whole body. */
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
  /** How much the last long body needed, and a little. */
  #typicalSize = 0;

  /** Begins a body. Several may be under way; the spare memory is for the first that turns out to be long. */
  startBody(): BodyCollector {
    return new BodyCollector(this);
  }

  /** Memory for at least `length` bytes. */
  acquire(length: number): Buffer {
    const spare = this.#spareBuffer;
    if (spare === undefined || spare.length < length) {
      return Buffer.allocUnsafeSlow(length <= this.#typicalSize ? this.#typicalSize : 2 * length);
    }
    this.#spareBuffer = undefined;
    return spare;
  }

  /** Takes a buffer back. A much too large one is dropped: the next body gets a buffer of the usual size. */
  release(memory: Buffer, used: number): void {
    this.#typicalSize = Math.ceil(1.1 * used);
    this.#spareBuffer = memory.length <= 1.3 * used ? memory : undefined;
  }
}

/** Takes the pieces of one body. */
export class BodyCollector {
  readonly #pool: BodyBufferPool;
  #chunks: Uint8Array[] = [];
  #buffer: Buffer | undefined;
  #length = 0;

  constructor(room: BodyBufferPool) {
    this.#pool = room;
  }

  /** Adds a piece: of a long body it is copied, of a short one kept. */
  add(piece: Uint8Array): void {
    if (this.#length + piece.length < longBodyBytes) this.#chunks.push(piece);
    else this.#ensureCapacity(this.#length + piece.length).set(piece, this.#length);
    this.#length += piece.length;
  }

  /** The body as far as it came. */
  finish(): CollectedBody {
    const [memory, used] = [this.#buffer, this.#length];
    if (memory === undefined) return { body: Buffer.concat(this.#chunks) };
    return { body: memory.subarray(0, used), release: () => this.#pool.release(memory, used) };
  }

  #ensureCapacity(length: number): Buffer {
    const before = this.#buffer;
    if (before !== undefined && before.length >= length) return before;
    const larger = this.#pool.acquire(length);
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
