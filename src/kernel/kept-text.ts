/** One text that outlives the process. */
export interface KeptText {
  /** Returns the text that was saved last; undefined if there is none, or if it cannot be read. */
  load(): Promise<string | undefined>;
  /**
   * Saves a text without waiting for the disk. After a crash the text may be lost; then the next start has nothing to
   * compare with.
   */
  save(text: string): void;
}
