import type { Node } from '../../test/architecture/project.ts';

/** A range of a text and its replacement. */
export interface Mutation {
  readonly operator: MutationOperator;
  readonly start: number;
  readonly end: number;
  readonly by: string;
}

/** Kinds of mutations. */
export type MutationOperator =
  | 'comparison'
  | 'equality'
  | 'logic'
  | 'arithmetic'
  | 'literal'
  | 'condition'
  | 'negation'
  | 'emptiness'
  | 'method'
  | 'deletion';

/** Returns the source text of a node. */
export type TextOf = (node: Node) => string;
