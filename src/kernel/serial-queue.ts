/** Queue that runs asynchronous work one item after another. A rejected item does not stop the items after it. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `work` after all work that was added before, and returns its result. */
  run<T>(work: () => T | Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Resolves when all work that was added so far has ended. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
