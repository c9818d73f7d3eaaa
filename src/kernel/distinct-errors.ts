/** Maximum number of errors that are remembered between two successes; further ones do not count as new. */
const maxErrors = 20;

/** Errors since the last success, so that errors that alternate are logged once each. */
export class DistinctErrors {
  readonly #known = new Set<string>();

  /** Whether an error did not occur since the last success. */
  isNew(error: string): boolean {
    if (this.#known.has(error) || this.#known.size >= maxErrors) return false;
    this.#known.add(error);
    return true;
  }

  /** Records a success; returns whether there was an error before it. */
  clear(): boolean {
    const hadErrors = this.#known.size > 0;
    this.#known.clear();
    return hadErrors;
  }
}
