import type { Result } from './result.ts';

/** The port to one of the standard streams. */
export interface Output {
  write(text: string): void;
  /** A person is looking: progress and colours are welcome. */
  readonly terminal: boolean;
  /** Nothing that is written gets anywhere any more: the reader went away, or the disk is full. */
  readonly closed: boolean;
  /** Resolves when what was written so far is written; a sentence why it could not be. Who went away misses nothing. */
  settled(): Promise<Result<void, string>>;
}

/** The signals that the program reacts to. */
export type SignalName = 'SIGTERM' | 'SIGINT' | 'SIGHUP' | 'SIGUSR2';

/** The port to signals: replaces the system's reaction until the returned function is called. */
export interface Signals {
  on(name: SignalName, react: () => void): () => void;
}

/** The port that writes a new file and never overwrites one. The error is a sentence. */
export type CreateFile = (path: string, text: string) => Promise<Result<void, string>>;
