import type { z } from 'zod';
import { err, ok, type Result } from '../kernel/result.ts';
import type { Finding, Problem } from '../model/problem.ts';
import { findingsOf } from './findings.ts';
import { shapeOf } from './shape.ts';
import type { YamlSource } from './yaml-source.ts';

/** What is checked beside the schema. */
export interface Checks {
  /** Works on the value as given. */
  readonly across?: (value: unknown) => readonly Finding[];
  /** Keys that mean something elsewhere, with what to say about them. */
  readonly known?: Readonly<Record<string, string>>;
  /** A file without a single key is a choice, not an accident. */
  readonly mayBeEmpty?: boolean;
}

/** Validates what was read, and gives either the value or every problem at once, in the order of the file. */
export function validate<Value>(
  source: YamlSource,
  schema: z.ZodType<Value>,
  { across, known = {}, mayBeEmpty = false }: Checks = {},
): Result<Value, readonly Problem[]> {
  if (source.value === undefined) return err(source.problems);
  const value = source.value === null && mayBeEmpty ? {} : source.value;
  if (value === null) return err([source.locate({ path: [], message: 'the file is empty' })]);
  const parsed = schema.safeParse(value);
  const issues = parsed.success ? [] : parsed.error.issues;
  const wrong = issues.length === 0 ? [] : findingsOf(issues, { value, shape: shapeOf(schema), known });
  const findings = [...wrong, ...(across?.(value) ?? [])].filter(({ path }) => !source.isSpoilt(path));
  const problems = sorted([...source.problems, ...findings.map(source.locate)]);
  return parsed.success && problems.length === 0 ? ok(parsed.data) : err(problems);
}

/** One line per problem: `file:line:column: path: message (hint)`. */
export function formatProblems(problems: readonly Problem[]): string {
  return problems.map(formatProblem).join('\n');
}

function formatProblem({ file, line, column, path, message, hint }: Problem): string {
  const where = `${file}:${line}:${column}`;
  return [where, ...(path === '' ? [] : [path]), message].join(': ') + (hint === undefined ? '' : ` (${hint})`);
}

function sorted(problems: readonly Problem[]): readonly Problem[] {
  return problems.toSorted((a, b) => a.line - b.line || a.column - b.column);
}
