/** One request as a node received it. Without headers: they hold credentials. */
export interface ReceivedCall {
  readonly node: string;
  readonly method: string;
  readonly path: string;
  /** The query string, `''` where there is none. */
  readonly query: string;
  /** Ms since the epoch, true time. */
  readonly at: number;
  /** Undefined while there is no answer yet. */
  readonly status: number | undefined;
}

/** One query that an abort named, and ended unless it outlives that. */
export interface RecordedAbort {
  readonly node: string;
  readonly requestId: string;
  /** With its parameters. */
  readonly url: string;
  readonly at: number;
}

/** A demonstration may run for weeks: older entries are forgotten. */
const maxEntries = 20_000;

/** Remembers the latest entries in the order in which they came. */
export class BoundedLog<Entry> {
  #entries: Entry[] = [];

  /** Notes an entry; the answer replaces it by a newer version of itself. */
  add(entry: Entry): (newer: Entry) => void {
    let current = entry;
    this.#entries.push(entry);
    if (this.#entries.length > maxEntries * 2) this.#entries = this.#entries.slice(-maxEntries);
    return (newer) => {
      const at = this.#entries.lastIndexOf(current);
      if (at !== -1) this.#entries[at] = newer;
      current = newer;
    };
  }

  /** A copy of what is remembered. */
  entries(): readonly Entry[] {
    return this.#entries.slice(-maxEntries);
  }
}
