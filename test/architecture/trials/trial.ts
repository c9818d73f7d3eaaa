import type { Rule } from '../project.ts';

/** Texts by path: a small project. */
export type Files = Readonly<Record<string, string>>;

/** What shows that a rule bites, and that it does not bite what is right. */
export interface Trial {
  readonly rule: Rule;
  /** Projects in which the rule must find something. */
  readonly bad: readonly Files[];
  /** Projects, close to the bad ones, in which it must find nothing. */
  readonly good: readonly Files[];
}

/** Each text as a project of one file. */
export function alone(path: string, ...texts: readonly string[]): readonly Files[] {
  return texts.map((text) => ({ [path]: text }));
}
