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
}

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
