import type { Result } from './result.ts';
import type { Millis } from './time.ts';

/** Port to randomness: jitter and phases. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
}

/** Port to configuration and secret files. Errors are sentences without contents. */
export interface Files {
  readText(path: string): Promise<Result<string, string>>;
  /** Version that changes whenever the file may have changed (size, mtime, inode); undefined if there is no file. */
  stamp(path: string): Promise<string | undefined>;
  /** Returns what exists at a path; `unreadable` if that is unknown. */
  presence(path: string): Promise<FilePresence>;
  /**
   * Calls `changed` with the name of each entry of the folder of `path` that changes, and with no name if the folder itself
   * does, until the returned function is called. Absent, or returns undefined, if the system cannot watch the folder.
   */
  watch?(path: string, changed: (name: string | undefined) => void): (() => void) | undefined;
}

/** State of a path. */
export type FilePresence = 'present' | 'absent' | 'unreadable';

/** One record of an SRV lookup. */
export interface SrvRecord {
  readonly name: string;
  readonly port: number;
}

/** Port to name resolution, for discovery. */
export interface Dns {
  srv(name: string): Promise<Result<readonly SrvRecord[], string>>;
  addresses(name: string): Promise<Result<readonly string[], string>>;
}

/** Times of a cron expression. */
export interface CronTimes {
  readonly stop: () => void;
  /** Returns the next time, in ms since the epoch; undefined if there is none. */
  readonly next: () => number | undefined;
}

/** Port to cron: calls `run` at the times of `expression`, until they are stopped. */
export type Cron = (expression: string, run: () => void) => CronTimes;

/** Port to checksums; texts are hashed as UTF-8, results are lower-case hex. */
export interface Digest {
  sha256(text: string): string;
  hmacSha256(key: string, text: string): string;
}

/** One line of a file, without its line feed; the last line is complete only if its line feed is there. */
export interface FileLine {
  readonly text: string;
  readonly isWhole: boolean;
}

/** File that grows line by line. Errors are sentences. */
export interface LineWriter {
  write(line: string): Promise<Result<void, string>>;
  close(): Promise<Result<void, string>>;
}

/** File in a folder. */
export interface FolderFile {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
}

/** Port to long files, which are written and read line by line. */
export interface LineFiles {
  /** Creates a file that only its owner can read. An existing file is an error, unless it is to be replaced. */
  create(path: string, options: { readonly replace: boolean }): Promise<Result<LineWriter, string>>;
  /** An error is the last item. */
  read(path: string): AsyncIterable<Result<FileLine, string>>;
  /** Creates a folder that only its owner can use, if it is missing. The folder above it must exist. */
  createFolder(path: string): Promise<Result<void, string>>;
  /** Returns the files of a folder, ordered by name; none if there is no such folder. */
  list(folder: string): Promise<Result<readonly FolderFile[], string>>;
  /** Removes a file, if it exists. */
  remove(path: string): Promise<Result<void, string>>;
}

/** Port to one of the standard streams. */
export interface Output {
  write(text: string): void;
  /** Whether the stream is a terminal, which may show progress and colors. */
  readonly isTerminal: boolean;
  /** Width of the terminal; absent without a terminal. */
  readonly columns?: number | undefined;
  /** Whether the terminal shows colors and the user has not disabled them. */
  readonly hasColors?: boolean;
  /** Whether the stream is the journal of systemd, which takes the level of a line from its prefix `<N>`. */
  readonly isJournal?: boolean;
  /** True if writes go nowhere: the reader closed the stream, or the disk is full. */
  readonly isClosed: boolean;
  /** Resolves when all earlier writes are done; an error is a sentence. A closed reader is not an error. */
  flushed(): Promise<Result<void, string>>;
}

/** Signals that the program handles. */
export type SignalName = 'SIGTERM' | 'SIGINT' | 'SIGHUP' | 'SIGUSR2';

/** Port to signals: replaces the default action until the returned function is called. */
export interface Signals {
  on(name: SignalName, react: () => void): () => void;
}

/** State of the process that a supervisor shows and acts on. */
export type SupervisedState = 'ready' | 'stopping' | 'alive';

/** Report to a supervisor. */
export interface SupervisorReport {
  readonly state?: SupervisedState;
  /** Shown with the service: «listening on http://127.0.0.1:9916». */
  readonly status?: string;
}

/** Port to the supervisor that started the process, such as systemd. */
export interface Supervisor {
  /** Longest time without the state `alive` after which it restarts the process; undefined if it waits forever. */
  readonly watchdogTimeout: Millis | undefined;
  /** Reports the state, a text for people, or both. The error is a sentence. */
  notify(report: SupervisorReport): Promise<Result<void, string>>;
}

/** Port that writes a file at once or not at all, readable by its owner only. The error is a sentence. */
export type ReplaceFile = (path: string, text: string) => Promise<Result<void, string>>;

/**
 * Port that writes a new file and never overwrites one. `owner` is `USER` or `USER:GROUP` of this host; the default is the
 * present user. The error is a sentence.
 */
export type CreateFile = (path: string, text: string, owner?: string) => Promise<Result<void, string>>;

/** Reads the files of the built status page, as JSON text; undefined if it is not built. */
export type ReadStatusPage = () => Promise<string | undefined>;
