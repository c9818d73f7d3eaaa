/** One thing that is wrong with a configuration file. Lines and columns count from 1. */
export interface Problem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Path of the key: `clusters[0].nodes[1].url`. */
  readonly path: string;
  readonly message: string;
  /** What to do: «did you mean `every`?». */
  readonly hint?: string;
}

/** Keys and list positions from the top of a configuration file to one of its values. */
export type KeyPath = readonly (string | number)[];

/** A {@link Problem} before it is known where in the file its key stands. Never repeats a configured value. */
export interface Finding {
  readonly path: KeyPath;
  readonly message: string;
  readonly hint?: string;
  /** The key itself is wrong (unknown, reserved), not what it was given. */
  readonly aboutKey?: boolean;
}
