/** Bodies from this size on are worth the trouble. */
const long = 1_048_576;

/** A whole body. */
export interface Collected {
  readonly body: Uint8Array;
  /** Gives the memory of a long body back, for the next one; nobody may look at the body afterwards. */
  readonly release?: () => void;
}

/**
 * Memory for long bodies that come again and again: a page of 12 MB every few seconds, joined in fresh memory
 * each time, would keep the garbage collector busier than the parser.
 */
export class BodyRoom {
  #spare: Buffer | undefined;
  /** How much the last long body needed, and a little. */
  #usual = 0;

  /** Begins a body. Several may be under way; the spare memory is for the first that turns out to be long. */
  begin(): GrowingBody {
    return new GrowingBody(this);
  }

  /** Memory for at least `length` bytes. */
  take(length: number): Buffer {
    const spare = this.#spare;
    if (spare === undefined || spare.length < length) {
      return Buffer.allocUnsafeSlow(length <= this.#usual ? this.#usual : 2 * length);
    }
    this.#spare = undefined;
    return spare;
  }

  /** Memory that is free again. What is much too large is let go: the next body gets what it usually takes. */
  giveBack(memory: Buffer, used: number): void {
    this.#usual = Math.ceil(1.1 * used);
    this.#spare = memory.length <= 1.3 * used ? memory : undefined;
  }
}

/** Takes the pieces of one body. */
export class GrowingBody {
  readonly #room: BodyRoom;
  #pieces: Uint8Array[] = [];
  #memory: Buffer | undefined;
  #length = 0;

  constructor(room: BodyRoom) {
    this.#room = room;
  }

  /** Adds a piece: of a long body it is copied, of a short one kept. */
  add(piece: Uint8Array): void {
    if (this.#length + piece.length < long) this.#pieces.push(piece);
    else this.#memoryFor(this.#length + piece.length).set(piece, this.#length);
    this.#length += piece.length;
  }

  /** The body as far as it came. */
  done(): Collected {
    const [memory, used] = [this.#memory, this.#length];
    if (memory === undefined) return { body: Buffer.concat(this.#pieces) };
    return { body: memory.subarray(0, used), release: () => this.#room.giveBack(memory, used) };
  }

  #memoryFor(length: number): Buffer {
    const before = this.#memory;
    if (before !== undefined && before.length >= length) return before;
    const larger = this.#room.take(length);
    let at = 0;
    for (const piece of before === undefined ? this.#pieces : [before.subarray(0, this.#length)]) {
      larger.set(piece, at);
      at += piece.length;
    }
    this.#pieces = [];
    this.#memory = larger;
    return larger;
  }
}
