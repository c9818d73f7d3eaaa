import type { Files } from './system.ts';
import type { Clock, Millis } from './time.ts';

/** Longest wait for a change: `watched` while the system reports changes of the folder, otherwise `unwatched`. */
export interface WatchIntervals {
  readonly watched: Millis;
  readonly unwatched: Millis;
}

/**
 * Wakes its caller when a file may have changed. The system reports changes in the folder of the file; because it reports
 * none on some file systems, nor through symbolic links, the caller still checks the file at a slow interval.
 */
export class FileWatcher {
  readonly #files: Pick<Files, 'watch'>;
  readonly #path: string;
  readonly #names: ReadonlySet<string> | undefined;
  #close: (() => void) | undefined;
  #hasChanged = false;
  #wake: (() => void) | undefined;

  /** @param names file names of the folder; changes of other files are ignored. Absent: all files count. */
  constructor(files: Pick<Files, 'watch'>, path: string, names?: readonly string[]) {
    this.#files = files;
    this.#path = path;
    this.#names = names && new Set(names);
  }

  /** Resolves after a change since the last call, or at the end of the interval, or when `signal` aborts. */
  async change(clock: Clock, { watched, unwatched }: WatchIntervals, signal: AbortSignal): Promise<void> {
    this.#open();
    if (!this.#hasChanged && !signal.aborted) {
      const wake = new AbortController();
      this.#wake = () => wake.abort('wake');
      signal.addEventListener('abort', this.#wake, { once: true });
      await clock.sleep(this.#close === undefined ? unwatched : watched, wake.signal);
      signal.removeEventListener('abort', this.#wake);
      this.#wake = undefined;
    }
    this.#hasChanged = false;
    if (signal.aborted) this.#end();
  }

  /** Starts to watch the folder. Changes before that are unknown, so the start counts as a change. */
  #open(): void {
    if (this.#close !== undefined) return;
    this.#close = this.#files.watch?.(this.#path, (name) => this.#onChange(name));
    this.#hasChanged ||= this.#close !== undefined;
  }

  /** Without a name, the folder itself changed: another one may be in its place, which the next {@link change} watches. */
  #onChange(name: string | undefined): void {
    if (name === undefined) this.#end();
    else if (this.#names?.has(name) === false) return;
    this.#hasChanged = true;
    this.#wake?.();
  }

  #end(): void {
    this.#close?.();
    this.#close = undefined;
  }
}
