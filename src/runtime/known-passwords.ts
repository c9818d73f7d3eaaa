import { createHmac, randomBytes } from 'node:crypto';

/** Right answers that are remembered: more than any installation has users. */
const mostRemembered = 256;

/** Pairs of password and hash that belong together, so that a scraper is not compared anew every few seconds. */
export class KnownPasswords {
  /** Known to this process alone: a memory dump gives nothing to look passwords up by. */
  readonly #key = randomBytes(32);
  readonly #names = new Set<string>();

  /** Whether the pair was remembered. */
  has(password: string, hash: string): boolean {
    return this.#names.has(this.#nameOf(password, hash));
  }

  /** Remembers a pair, and forgets the oldest one where there are too many. */
  add(password: string, hash: string): void {
    const [oldest] = this.#names;
    if (this.#names.size >= mostRemembered && oldest !== undefined) this.#names.delete(oldest);
    this.#names.add(this.#nameOf(password, hash));
  }

  #nameOf(password: string, hash: string): string {
    return createHmac('sha256', this.#key)
      .update(JSON.stringify([hash, password]))
      .digest('base64');
  }
}
