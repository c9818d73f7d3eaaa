import type { SignalName, Signals } from '../kernel/system.ts';

/** Listener for a signal that may arrive before its handler is known. */
export interface SignalListener {
  /**
   * Sets the handler, and calls it at once if the signal has arrived already, even if an earlier handler was called
   * for it: a failed start may have lost a pause.
   */
  handle(act: () => void): void;
  /** Restores the default action of the signal. */
  release(): void;
}

/** Listens for a signal whose default action would end the process. */
export function listenForSignal(signals: Signals, name: SignalName): SignalListener {
  let hasArrived = false;
  let handler = noop;
  const release = signals.on(name, () => {
    hasArrived = true;
    handler();
  });
  return {
    handle: (act) => {
      handler = act;
      if (hasArrived) act();
    },
    release,
  };
}

/** Listener for one attempt of a start: its release removes the handler, and the signal is still recorded. */
export function sharedSignal(request: SignalListener): SignalListener {
  return { handle: (act) => request.handle(act), release: () => request.handle(noop) };
}

function noop(): void {}

/** Requests to stop the process. */
export interface StopSignals {
  /** Aborts with the first SIGTERM or SIGINT. */
  readonly requested: AbortSignal;
  /** Resolves with the second signal, which skips the clean shutdown. */
  readonly forced: Promise<void>;
  /** Restores the default action of the signals. */
  release(): void;
}

/** Listens for SIGTERM and SIGINT. */
export function listenForStop(signals: Signals): StopSignals {
  const requested = new AbortController();
  const forced = Promise.withResolvers<void>();
  const react = (): void => (requested.signal.aborted ? forced.resolve() : requested.abort());
  const releases = [signals.on('SIGTERM', react), signals.on('SIGINT', react)];
  return {
    requested: requested.signal,
    forced: forced.promise,
    release: () => {
      for (const release of releases) release();
    },
  };
}
