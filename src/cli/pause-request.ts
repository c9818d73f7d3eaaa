import type { Signals } from '../kernel/process.ts';

/** How the guard is asked to hold still. */
export interface PauseRequest {
  /** From now on each SIGUSR2 is reacted to; at once where there was one already. */
  react(pause: () => void): void;
  /** Gives the signal back to the system. */
  release(): void;
}

/** Begins to listen for SIGUSR2, which would end a program that does not. It pauses, and never resumes. */
export function pauseRequest(signals: Signals): PauseRequest {
  let isAsked = false;
  let tell = (): void => {
    isAsked = true;
  };
  const release = signals.on('SIGUSR2', () => tell());
  return {
    react: (pause) => {
      tell = pause;
      if (isAsked) pause();
      isAsked = false;
    },
    release,
  };
}
