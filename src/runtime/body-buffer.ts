import { freeMemory, mappedMemory } from '../kernel/reply-memory.ts';
import type { MemoryBudget } from './reply-memory.ts';

/** Minimum size of a body that needs memory of the budget. */
const longBodyBytes = 1_048_576;

/** Complete body. */
export interface CollectedBody {
  readonly body: Uint8Array;
  /** Returns the memory of a long body; the body must not be used afterwards. May be called more than once. */
  readonly release?: () => void;
}

/** Connection pool whose reply bodies use memory of the budget. */
export interface BodyOwner {
  readonly origin: string;
  /** Whether the pool carries the lists and aborts of the guard. */
  readonly isForGuard: boolean;
}

/** Memory of the bodies of one connection pool: chunks for short bodies, one buffer of the budget for a long body. */
export class BodyBuffers {
  readonly #budget: MemoryBudget;
  readonly #owner: BodyOwner;

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

  /** Returns memory for a body of at most `limit` bytes. */
  acquire(limit: number): Uint8Array {
    return this.#budget.takeSpare(limit) ?? new Uint8Array(mappedMemory(limit));
  }

  /** Returns memory, which may be kept for the body of the next poll. The body occupied `used` bytes of it. */
  release(memory: Uint8Array, used: number): void {
    this.#budget.keepSpare(memory, used);
  }
}

/** Collects the chunks of one body. */
export class BodyCollector {
  readonly #pool: BodyBuffers;
  readonly #limit: number;
  readonly #ownsChunks: boolean;
  readonly #ended = new AbortController();
  #chunks: Uint8Array[] = [];
  #buffer: Uint8Array | undefined;
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
    if (this.#buffer === undefined) {
      this.#buffer = this.#pool.acquire(this.#limit);
      this.#length = 0;
      for (const chunk of this.#chunks.splice(0)) this.#append(chunk);
    }
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

  /** Frees a copied chunk at once: the chunks of a long body would be more garbage than the body itself. */
  #append(piece: Uint8Array): void {
    const { length } = piece;
    this.#buffer?.set(piece, this.#length);
    this.#length += length;
    if (this.#ownsChunks && length === piece.buffer.byteLength) freeMemory(piece);
  }
}
