import type { ScenarioKind } from '../plan/plan.ts';

/** Safety condition, with the edits that remove it from the sources. */
export interface RemovedCondition {
  readonly name: string;
  readonly edits: readonly Edit[];
  /** Kinds of races in which the condition matters, if it matters in few; absent: all kinds. */
  readonly kinds?: readonly ScenarioKind[];
}

/** Text that a file contains exactly once, with its replacement. */
export interface Edit {
  /** Below `src`. */
  readonly file: string;
  readonly text: string;
  readonly by: string;
}

/** Returns a condition that one edit removes. */
export function singleEdit(name: string, file: string, text: string, by: string): RemovedCondition {
  return { name, edits: [edit(file, text, by)] };
}

/** Returns an edit. */
export function edit(file: string, text: string, by: string): Edit {
  return { file, text, by };
}

/** Limits the races to those of some kinds. */
export function inRacesOf(kinds: readonly ScenarioKind[], condition: RemovedCondition): RemovedCondition {
  return { ...condition, kinds };
}

/**
 * Applies an edit to a file. Throws if the file does not contain the text exactly once, because the sources changed.
 */
export function applyEdit(content: string, { file, text, by }: Edit): string {
  if (content.split(text).length !== 2) throw new Error(`${file} does not contain exactly once: ${text}`);
  return content.replace(text, () => by);
}
