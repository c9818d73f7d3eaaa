import type { Millis } from '../kernel/time.ts';

/** Parameter of a query; a list has one entry for each element. */
export interface QueryParameter {
  readonly name: string;
  readonly value: string;
}

/** Run of a query of the configuration. */
export interface QueryRun {
  readonly graph: string;
  /** Name of an installed query, or the whole text of an interpreted one. */
  readonly source: { readonly installed: string } | { readonly interpreted: string };
  readonly parameters: readonly QueryParameter[];
  /** Time after which the server ends the query. */
  readonly timeout: Millis;
  /** Threads for each node of the server; absent for all. */
  readonly threads?: number;
  /** Memory on each node of the server, in bytes; absent for no limit. */
  readonly memory?: number;
}
