import type { Node } from '../test/architecture/project.ts';

/** A piece of a text and what it becomes. */
export interface Change {
  readonly operator: Operator;
  readonly start: number;
  readonly end: number;
  readonly by: string;
}

/** What kinds of slips are tried. */
export type Operator =
  | 'comparison'
  | 'equality'
  | 'logic'
  | 'arithmetic'
  | 'literal'
  | 'condition'
  | 'negation'
  | 'emptiness'
  | 'method'
  | 'left out';

/** Gives the text of a piece of the source. */
export type TextOf = (node: Node) => string;
