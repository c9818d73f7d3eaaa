import type { Result } from './result.ts';

/** One line of a file, without its end; the last one is whole only where its end is there. */
export interface FileLine {
  readonly text: string;
  readonly isWhole: boolean;
}

/** A file that grows line by line. Errors are sentences. */
export interface LineWriter {
  write(line: string): Promise<Result<void, string>>;
  close(): Promise<Result<void, string>>;
}

/** The port to files that are too long to be held: they are written and read line by line. */
export interface LineFiles {
  /** Begins a file that its owner alone can read. One that is there already is an error, unless it is to be replaced. */
  create(path: string, options: { readonly replace: boolean }): Promise<Result<LineWriter, string>>;
  /** An error is the last that comes. */
  read(path: string): AsyncIterable<Result<FileLine, string>>;
}
