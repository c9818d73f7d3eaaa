import { freeMemory } from '../kernel/reply-memory.ts';
import type { MemoryBudget } from './reply-memory.ts';

/** Minimum size of a body that needs memory of the budget. */
const longBodyBytes = 1_048_576;

/** Complete body. */
export interface CollectedBody {
  readonly body: Uint8Array;
  /** Returns the memory of a long body; the body must not be used afterwards. May be called more than once. */
  readonly release?: () => void;
}

/** Whose bodies the memory is for. */
export interface BodyOwner {
  readonly origin: string;
  /** Whether the pool carries the lists and aborts of the guard. */
  readonly isForGuard: boolean;
}

/** Memory of the bodies of one connection pool: short ones in pieces, and long ones in memory of the budget. */
export class BodyBuffers {
  readonly #budget: MemoryBudget;
  readonly #owner: BodyOwner;
  /** Size of the last long body, with some reserve. */
  #typicalSize = 0;

  constructor(budget: MemoryBudget, owner: BodyOwner) {
    this.#budget = budget;
    this.#owner = owner;
  }

  /** Maximum size of a body in bytes. */
  get largestBody(): number {
    return this.#budget.largestReply;
  }

  /** Begins a body of at most `limit` bytes; `ownsChunks` if nothing else uses its chunks. */
  startBody(limit: number, ownsChunks = false): BodyCollector {
    return new BodyCollector(this, limit, ownsChunks);
  }

  /** Reserves memory for a long body, one of the pool at a time; undefined if `signal` aborts first. */
  reserve(bytes: number, signal: AbortSignal): Promise<(() => void) | undefined> {
    const { origin, isForGuard } = this.#owner;
    return this.#budget.reserve({ owner: `${isForGuard ? 'guard' : ''} ${origin}`, bytes, isForGuard }, signal);
  }

  /** Returns memory for at least `length` bytes of a body of at most `limit` bytes. It is paged in as it is used. */
  acquire(length: number, limit: number): Buffer {
    const size = length <= this.#typicalSize ? Math.min(this.#typicalSize, limit) : limit;
    return this.#budget.takeSpare(length) ?? Buffer.allocUnsafeSlow(Math.max(length, size));
  }

  /** Keeps memory for the next body, unless it is much larger than usual: pages come again and again. */
  release(memory: Buffer, used: number): void {
    this.#typicalSize = Math.ceil(1.1 * used);
    if (memory.length <= 1.3 * used) this.#budget.keepSpare(memory);
    else freeMemory(memory);
  }
}

/** Collects the chunks of one body. */
export class BodyCollector {
  readonly #pool: BodyBuffers;
  readonly #limit: number;
  readonly #ownsChunks: boolean;
  readonly #ended = new AbortController();
  #chunks: Uint8Array[] = [];
  #buffer: Buffer | undefined;
  #length = 0;
  #giveBack: (() => void) | undefined;
  #isWaiting = false;

  constructor(pool: BodyBuffers, limit: number, ownsChunks: boolean) {
    this.#pool = pool;
    this.#limit = limit;
    this.#ownsChunks = ownsChunks;
  }

  /** Whether the body waits for memory, or did when it ended. */
  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  /** Returns whether a chunk makes the body long, so that {@link reserve} must be called before it is added. */
  needsMemory(piece: Uint8Array): boolean {
    return this.#giveBack === undefined && this.#length + piece.length >= longBodyBytes;
  }

  /** Waits for memory for the whole body; returns false if the body ends first. */
  async reserve(): Promise<boolean> {
    this.#isWaiting = true;
    const giveBack = await this.#pool.reserve(this.#limit, this.#ended.signal);
    if (this.#ended.signal.aborted) {
      giveBack?.();
      return false;
    }
    this.#isWaiting = false;
    this.#giveBack = giveBack;
    return giveBack !== undefined;
  }

  /** Adds a chunk, and copies it if the body is long. */
  add(piece: Uint8Array): void {
    if (this.#giveBack === undefined) {
      this.#chunks.push(piece);
      this.#length += piece.length;
      return;
    }
    const chunks = this.#chunks.splice(0);
    this.#ensureCapacity(this.#length + piece.length, chunks);
    this.#append(piece);
  }

  /** Ends the wait of {@link reserve}. */
  stopWaiting(): void {
    this.#ended.abort('ended');
  }

  /** Ends a body that is not used. */
  discard(): void {
    this.stopWaiting();
    if (this.#buffer !== undefined) freeMemory(this.#buffer);
    this.#giveBack?.();
  }

  /** Returns the received part of the body. */
  finish(): CollectedBody {
    const [memory, used, giveBack] = [this.#buffer, this.#length, this.#giveBack];
    if (memory === undefined || giveBack === undefined) return { body: Buffer.concat(this.#chunks) };
    this.#buffer = undefined;
    let isReleased = false;
    const release = (): void => {
      if (isReleased) return;
      isReleased = true;
      this.#pool.release(memory, used);
      giveBack();
    };
    return { body: memory.subarray(0, used), release };
  }

  /** Makes memory for `length` bytes, of which `chunks` are the first if there was no memory before. */
  #ensureCapacity(length: number, chunks: readonly Uint8Array[]): void {
    const before = this.#buffer;
    if (before !== undefined && before.length >= length) return;
    this.#buffer = this.#pool.acquire(length, this.#limit);
    if (before !== undefined) {
      this.#buffer.set(before.subarray(0, this.#length));
      freeMemory(before);
    }
    if (chunks.length > 0) this.#length = 0;
    for (const chunk of chunks) this.#append(chunk);
  }

  /** The chunks of a long body would be more garbage than the body itself. */
  #append(piece: Uint8Array): void {
    const { length } = piece;
    this.#buffer?.set(piece, this.#length);
    this.#length += length;
    if (this.#ownsChunks && length === piece.buffer.byteLength) freeMemory(piece);
  }
}
