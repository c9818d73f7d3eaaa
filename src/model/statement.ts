/** States of an asynchronous GSQL statement; `unknown` if the server does not know its request id. */
export const statementStates = ['running', 'finished', 'failed', 'unknown'] as const;

/** Asynchronous GSQL statement that the configuration names. */
export interface Statement {
  /** Name in the configuration. */
  readonly name: string;
  readonly state: (typeof statementStates)[number];
}
