import type { Result } from './result.ts';

/** The port to chance: jitter and phases. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
}

/** The port to files that are configuration or secrets. Errors are sentences without contents. */
export interface Files {
  readText(path: string): Promise<Result<string, string>>;
  /** Changes whenever the file may have changed (size, mtime, inode); undefined when there is none. */
  stamp(path: string): Promise<string | undefined>;
  /** Whether there is anything at a path, be it what it may; `unreadable` where that cannot be told. */
  presence(path: string): Promise<Presence>;
}

/** What can be told of a path. */
export type Presence = 'there' | 'absent' | 'unreadable';

/** One answer of a SRV look-up. */
export interface SrvRecord {
  readonly name: string;
  readonly port: number;
}

/** The port to name resolution, for discovery. */
export interface Dns {
  srv(name: string): Promise<Result<readonly SrvRecord[], string>>;
  addresses(name: string): Promise<Result<readonly string[], string>>;
}

/** The port to cron: calls `run` at every instant that `expression` names, until the returned stop is called. */
export type Cron = (expression: string, run: () => void) => { readonly stop: () => void };
