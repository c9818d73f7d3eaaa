import type { SignalName, Signals } from '../kernel/process.ts';

/** What is asked for by a signal that may come before there is anybody to do it. */
export interface SignalRequest {
  /**
   * From now on each such signal is reacted to; at once where there was one already, also where another reacted to
   * that: a start that failed may have taken a pause with it.
   */
  react(act: () => void): void;
  /** Gives the signal back to the system. */
  release(): void;
}

/** Begins to listen for a signal, which would end a program that does not. */
export function signalRequest(signals: Signals, name: SignalName): SignalRequest {
  let isAsked = false;
  let tell = nothing;
  const release = signals.on(name, () => {
    isAsked = true;
    tell();
  });
  return {
    react: (act) => {
      tell = act;
      if (isAsked) act();
    },
    release,
  };
}

/** The same for who ends earlier: when that one releases it, it goes on to listen and to remember. */
export function lent(request: SignalRequest): SignalRequest {
  return { react: (act) => request.react(act), release: () => request.react(nothing) };
}

function nothing(): void {}
