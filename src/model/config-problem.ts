/** Problem in a configuration file. Lines and columns start at 1. */
export interface ConfigProblem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Path of the key: `clusters[0].nodes[1].url`. */
  readonly path: string;
  readonly message: string;
  /** Suggested fix: «did you mean `interval`?». */
  readonly hint?: string;
  /** Number of further problems, which the entry stands for: of the whole file, or of the section at `path`. */
  readonly count?: number;
}

/** Keys and list positions from the top of a configuration file to one of its values. */
export type KeyPath = readonly (string | number)[];

/** A {@link ConfigProblem} before its key is located in the file. Never contains a configured value. */
export interface UnlocatedProblem {
  readonly path: KeyPath;
  readonly message: string;
  readonly hint?: string | undefined;
  /** The key itself is invalid (unknown, reserved), not its value. */
  readonly isAboutKey?: boolean;
}
