import type { Files } from '../kernel/system.ts';
import type { Clock, Millis } from '../kernel/time.ts';

/** How often a watched file is looked at. */
export const watchInterval: Millis = 2_000;

/** A file, and what is known of it. */
export interface WatchedFile {
  readonly path: string;
  /** Its stamp from before it was read; undefined where there was none. */
  readonly stamp: string | undefined;
}

/**
 * Calls `changed` after the file at `path` changed and then stayed as it is for one look: a file that is being
 * written is left alone, and so is one that is gone for the moment. Ends with `signal`.
 */
export async function watchFile(
  { path, stamp }: WatchedFile,
  changed: () => Promise<unknown>,
  ports: { readonly files: Files; readonly clock: Clock },
  signal: AbortSignal,
): Promise<void> {
  let known = stamp;
  let before = known;
  while (!signal.aborted) {
    await ports.clock.sleep(watchInterval, signal);
    const now = signal.aborted ? undefined : await ports.files.stamp(path);
    if (now !== undefined && now !== known && now === before) {
      known = now;
      await changed();
    }
    before = now;
  }
}
