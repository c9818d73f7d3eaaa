import type { Signals } from '../kernel/process.ts';

/** How the program is asked to end. */
export interface StopRequest {
  /** Aborts with the first SIGTERM or SIGINT. */
  readonly asked: AbortSignal;
  /** Resolves with the second: whoever sends it does not want to wait. */
  readonly insisted: Promise<void>;
  /** Gives the signals back to the system. */
  release(): void;
}

/** Begins to listen for the signals that end a daemon. */
export function stopRequest(signals: Signals): StopRequest {
  const asked = new AbortController();
  const insisted = Promise.withResolvers<void>();
  const react = (): void => (asked.signal.aborted ? insisted.resolve() : asked.abort());
  const releases = [signals.on('SIGTERM', react), signals.on('SIGINT', react)];
  return {
    asked: asked.signal,
    insisted: insisted.promise,
    release: () => {
      for (const release of releases) release();
    },
  };
}
