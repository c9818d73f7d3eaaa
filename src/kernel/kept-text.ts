/** One text that outlives the process. */
export interface KeptText {
  /** Returns the text that was saved last; undefined if there is none, or if it cannot be read. */
  load(): Promise<string | undefined>;
  /** Saves a text without waiting for the disk. A text that is lost costs a comparison after the next start. */
  save(text: string): void;
}
