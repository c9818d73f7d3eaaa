import type { InventoryItem } from './inventory.ts';

/** Files with user-defined functions in C++, by the names of the server. */
export const functionFiles = ['ExprFunctions', 'ExprUtil', 'TokenBank'] as const;

/** One of {@link functionFiles}. */
export type FunctionFile = (typeof functionFiles)[number];

/** Kinds of user-defined code that a server lists by name. */
export const codeLists = ['library', 'tuples'] as const;

/** One of {@link codeLists}. */
export type CodeList = (typeof codeLists)[number];

/** Content of one file, or of one list of the server. */
export interface CodeDigest {
  readonly code: FunctionFile | CodeList;
  /** SHA-256 in hexadecimal digits; `''` if the server does not have the file. */
  readonly digest: string;
}

/** Library function, with its digest, or tuple, with its fields. */
export interface CodeItem extends InventoryItem {
  readonly list: CodeList;
}

/** Code of users that runs inside the engine. */
export interface UserFunctions {
  readonly digests: readonly CodeDigest[];
  /** Functions and tuples of the lists that the server has, up to a limit. */
  readonly items: readonly CodeItem[];
  /** Number of all functions and tuples by list; absent for a list that the server does not have. */
  readonly counts: Readonly<Partial<Record<CodeList, number>>>;
}
