import type { Rule } from '../project.ts';

/** A small project: texts by path. */
export type Files = Readonly<Record<string, string>>;

/** Projects that a rule must reject, and similar projects that it must accept. */
export interface RuleExample {
  readonly rule: Rule;
  /** Projects with a violation. */
  readonly bad: readonly Files[];
  /** Similar projects without a violation. */
  readonly good: readonly Files[];
}

/** Returns one project of one file per text. */
export function singleFileProjects(path: string, ...texts: readonly string[]): readonly Files[] {
  return texts.map((text) => ({ [path]: text }));
}
