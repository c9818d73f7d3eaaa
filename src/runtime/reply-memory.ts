import { totalmem } from 'node:os';
import { freeMemory, maxDefaultMemory, type ReplyMemory, shareOfReply } from '../kernel/reply-memory.ts';

/** Number of replies of the maximum size that fit into the budget: one to a collector, and two to the guard. */
const largestReplies = 3;

/** Long reply that needs memory. */
export interface MemoryClaim {
  /** Claims of one owner are granted one at a time. */
  readonly owner: string;
  /** Maximum size of the reply in bytes. */
  readonly bytes: number;
  /** Whether it is a reply to the guard: it may use the whole budget, and does not wait for other replies. */
  readonly isForGuard: boolean;
}

/** State of the budget, in bytes. */
export interface MemoryUse {
  readonly limit: number;
  readonly reserved: number;
  /** Replies that had to wait so far. */
  readonly waits: number;
}

interface WaitingClaim extends MemoryClaim {
  readonly grant: () => void;
}

/** Budget of bytes for long replies. A reply that does not fit waits; owners take turns. */
export class MemoryBudget implements ReplyMemory {
  #largest = 0;
  #reserved = 0;
  /** Part of `#reserved` without replies to the guard. */
  #reservedByCollectors = 0;
  #waits = 0;
  readonly #owners = new Set<string>();
  readonly #waiting = new Set<WaitingClaim>();
  #spare: Uint8Array | undefined;

  /** @param process memory of the process in bytes; see {@link ReplyMemory.limitProcess}. */
  constructor(process?: number) {
    this.limitProcess(process);
  }

  limitProcess(bytes: number | undefined): void {
    this.#largest = Math.floor((bytes ?? availableMemory()) * shareOfReply);
    this.#spare = undefined;
    this.#grantWaiting();
  }

  /** Maximum size of one reply in bytes. */
  get largestReply(): number {
    return this.#largest;
  }

  get use(): MemoryUse {
    return { limit: this.#limit, reserved: this.#reserved, waits: this.#waits };
  }

  /**
   * Reserves memory, after the claims that wait already. Resolves to the function that returns it, which may be called
   * more than once, or to undefined if `signal` aborts first.
   */
  reserve(claim: MemoryClaim, signal: AbortSignal): Promise<(() => void) | undefined> {
    if (signal.aborted) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const giveUp = (): void => {
        this.#waiting.delete(waiting);
        this.#grantWaiting();
        resolve(undefined);
      };
      const grant = (): void => {
        this.#waiting.delete(waiting);
        signal.removeEventListener('abort', giveUp);
        resolve(this.#take(claim));
      };
      const waiting = { ...claim, grant };
      this.#waiting.add(waiting);
      signal.addEventListener('abort', giveUp, { once: true });
      this.#grantWaiting();
      if (this.#waiting.has(waiting)) this.#waits += 1;
    });
  }

  /** Returns kept memory of at least `length` bytes; undefined without any. */
  takeSpare(length: number): Uint8Array | undefined {
    const spare = this.#spare;
    if (spare === undefined || spare.length < length) return undefined;
    this.#spare = undefined;
    return spare;
  }

  /** Keeps memory for a later reply if only a small part of it was `used`, and frees it otherwise. */
  keepSpare(memory: Uint8Array, used: number): void {
    if (used > this.#largest / 2 || this.#spare !== undefined) freeMemory(memory);
    else this.#spare = memory;
  }

  get #limit(): number {
    return this.#largest * largestReplies;
  }

  #take({ owner, bytes, isForGuard }: MemoryClaim): () => void {
    this.#count(owner, bytes, isForGuard);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#count(owner, -bytes, isForGuard);
      this.#grantWaiting();
    };
  }

  #count(owner: string, bytes: number, isForGuard: boolean): void {
    this.#reserved += bytes;
    if (!isForGuard) this.#reservedByCollectors += bytes;
    if (bytes > 0) this.#owners.add(owner);
    else this.#owners.delete(owner);
  }

  /** Grants what fits. A claim that does not fit stops the later ones of its kind, so that small ones do not always overtake it. */
  #grantWaiting(): void {
    for (const kind of [true, false]) {
      for (const claim of [...this.#waiting].filter(({ isForGuard }) => isForGuard === kind)) {
        if (this.#owners.has(claim.owner)) continue;
        if (!this.#fits(claim)) break;
        claim.grant();
      }
    }
  }

  /** Whether a claim can be granted. A reply that is larger than a budget that was reduced meanwhile is granted if no other is. */
  #fits({ bytes, isForGuard }: MemoryClaim): boolean {
    const mayJoin = isForGuard || isWithin(this.#reservedByCollectors, bytes, this.#largest);
    return mayJoin && isWithin(this.#reserved, bytes, this.#limit);
  }
}

function isWithin(reserved: number, bytes: number, limit: number): boolean {
  return reserved === 0 || reserved + bytes <= limit;
}

function availableMemory(): number {
  const constrained = process.constrainedMemory();
  const ofHost = totalmem();
  return Math.min(constrained > 0 ? constrained : ofHost, ofHost, maxDefaultMemory);
}
