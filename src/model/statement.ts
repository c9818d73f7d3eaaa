/** States of an asynchronous GSQL statement; `unknown` if the server does not know its request id. */
export const statementStates = ['running', 'finished', 'failed', 'unknown'] as const;

/** Asynchronous GSQL statement that the configuration or the statements file names. */
export interface Statement {
  /** Name in the configuration or the file. */
  readonly name: string;
  readonly state: (typeof statementStates)[number];
}

/** Statements of a cluster. */
export interface StatementList {
  readonly statements: readonly Statement[];
  /** Number of problems of the statements file; undefined without a file. */
  readonly fileProblems: number | undefined;
}
