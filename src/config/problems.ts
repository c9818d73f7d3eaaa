import type { z } from 'zod';
import { err, ok, type Result } from '../kernel/result.ts';
import { replaceControlCharacters } from '../kernel/visible-text.ts';
import type { ConfigProblem, KeyPath, UnlocatedProblem } from '../model/config-problem.ts';
import { findingsFromIssues } from './findings.ts';
import { jsonSchemaOf } from './json-schema.ts';
import type { YamlSource } from './yaml-source.ts';

/** Checks in addition to the schema. */
export interface ValidationChecks {
  /** Check of the raw value across keys. */
  readonly across?: (value: unknown) => readonly UnlocatedProblem[];
  /** Hints for keys that are valid in other formats. */
  readonly known?: Readonly<Record<string, string>>;
  /** New name of a renamed key at a path. */
  readonly renamed?: (path: KeyPath) => string | undefined;
  /** Whether a file without keys is valid. */
  readonly mayBeEmpty?: boolean;
}

/** Validates a parsed file; returns the value, or all problems in the order of the file. */
export function validate<Value>(
  source: YamlSource,
  schema: z.ZodType<Value>,
  { across, known = {}, renamed, mayBeEmpty = false }: ValidationChecks = {},
): Result<Value, readonly ConfigProblem[]> {
  if (source.value === undefined) return err(source.problems);
  const value = source.value === null && mayBeEmpty ? {} : source.value;
  if (value === null)
    return err([source.locate({ path: [], message: 'the file is empty; write one with `graphwarden init`' })]);
  // A file is parsed once: compiling a parser for each object takes longer.
  const parsed = schema.safeParse(value, { jitless: true });
  const issues = parsed.success ? [] : parsed.error.issues;
  const given = { value, known, ...(renamed === undefined ? {} : { renamed }) };
  const wrong = issues.length === 0 ? [] : findingsFromIssues(issues, { ...given, schema: jsonSchemaOf(schema) });
  const findings = [...wrong, ...(across?.(value) ?? [])].filter(({ path }) => !source.hasProblemAt(path));
  const problems = sortByPosition([...source.problems, ...findings.map(source.locate)]);
  return parsed.success && problems.length === 0 ? ok(parsed.data) : err(problems);
}

/** Formats one line per problem: `file:line:column: path: message (hint)`. */
export function formatProblems(problems: readonly ConfigProblem[]): string {
  return problems.map((problem) => formatProblem(problem)).join('\n');
}

/** Formats the first problem, and the number of the others. */
export function summarizeProblems([first, ...others]: readonly ConfigProblem[]): string {
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  return first === undefined ? '' : formatProblem(first) + more;
}

/** Formats one line per warning: `file:line:column: warning: path: message (hint)`. */
export function formatWarnings(warnings: readonly ConfigProblem[]): string {
  return warnings.map((warning) => formatProblem(warning, ['warning'])).join('\n');
}

function formatProblem(
  { file, line, column, path, message, hint }: ConfigProblem,
  kind: readonly string[] = [],
): string {
  const where = `${file}:${line}:${column}`;
  const text = [where, ...kind, ...(path === '' ? [] : [path]), message].join(': ');
  return replaceControlCharacters(text + (hint === undefined ? '' : ` (${hint})`));
}

/** Sorts problems by line and column. */
export function sortByPosition(problems: readonly ConfigProblem[]): readonly ConfigProblem[] {
  return problems.toSorted((a, b) => a.line - b.line || a.column - b.column);
}
