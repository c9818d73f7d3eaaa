import { err, ok, type Result } from '../../kernel/result.ts';

/** Path to a value in the output of a query: names of members and numbers of elements. */
export interface ValuePath {
  /** Path as in the configuration. */
  readonly text: string;
  readonly steps: readonly string[];
  /** Whether the path ends in `*`: one row for each member of an object, with the members `key` and `value`. */
  readonly isEach: boolean;
}

const step = /(?:"([^"]*)"|([^\s."*[\]]+)|(\*))(\.|$)/y;

/**
 * Parses a path such as `0.outliers`, `attributes."v.@degree"` or `0.@@by_type.*`. A name with dots or blanks is in quotes.
 * The error is a clause about the path.
 */
export function parseValuePath(text: string): Result<ValuePath, string> {
  const steps: string[] = [];
  step.lastIndex = 0;
  while (step.lastIndex < text.length) {
    const found = step.exec(text);
    if (found === null) return err(syntaxProblem(text));
    const [, quoted, plain, star, dot] = found;
    if (star !== undefined)
      return dot === ''
        ? ok({ text, steps, isEach: true })
        : err('has a `*` before its end; it stands alone, at the end');
    steps.push(quoted ?? plain ?? '');
    if (dot === '') return ok({ text, steps, isEach: false });
  }
  return err(text === '' ? 'must not be empty' : 'ends with a dot; remove it');
}

function syntaxProblem(text: string): string {
  if (/[[\]]/.test(text)) return 'has brackets; write the number of an element as a step, such as 0.outliers';
  if ((text.match(/"/g) ?? []).length % 2 === 1) return 'has a quote without its end';
  if (text.startsWith('.') || text.includes('..')) return 'has an empty step; write one name between two dots';
  if (text.includes('*')) return 'has a `*` within a name; it stands alone, at the end';
  return 'has a name with blanks or quotes; write the whole name in double quotes';
}

/** Value at a path, or the number of steps that exist if the path leads nowhere. */
export type Found = { readonly value: unknown } | { readonly steps: number };

/** Follows the steps of a path; elements of a list are numbered from 0. */
export function follow(from: unknown, steps: readonly string[]): Found {
  let value = from;
  for (const [at, name] of steps.entries()) {
    if (!isContainer(value) || !Object.prototype.propertyIsEnumerable.call(value, name)) return { steps: at };
    value = memberOf(value, name);
  }
  return { value };
}

/** Whether a value has members or elements. */
export function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Returns an own member of an object, or an element of a list. */
export function memberOf(container: object, name: string): unknown {
  return Object.getOwnPropertyDescriptor(container, name)?.value;
}
