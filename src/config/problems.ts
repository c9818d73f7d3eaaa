import type { z } from 'zod';
import { err, ok, type Result } from '../kernel/result.ts';
import { replaceControlCharacters } from '../kernel/visible-text.ts';
import type { ConfigProblem, KeyPath, UnlocatedProblem } from '../model/config-problem.ts';
import { findingsFromIssues } from './findings.ts';
import { jsonSchemaOf } from './json-schema.ts';
import type { TextPosition, YamlSource } from './yaml-source.ts';

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
  const problems = firstProblems(source, findings);
  return parsed.success && problems.length === 0 ? ok(parsed.data) : err(problems);
}

/** Maximum number of problems that are described: a file within the limits can have 40,000. */
const maxDescribed = 100;

/** Problem that is described only if it is one of the first. */
interface LocatedProblem extends TextPosition {
  readonly isOfGuard: boolean;
  readonly describe: () => ConfigProblem;
}

/**
 * Returns the first problems in the order of the file, and the number of the others: those of the guard and those of the
 * rest, because a reload must know whether the guard has problems that are not described.
 */
export function firstProblems(source: YamlSource, findings: readonly UnlocatedProblem[]): readonly ConfigProblem[] {
  const all = sortByPosition<LocatedProblem>([
    ...source.problems.map((problem) => ({
      line: problem.line,
      column: problem.column,
      isOfGuard: problem.path.startsWith('guard'),
      describe: () => problem,
    })),
    ...findings.map((finding) => ({
      ...source.positionOf(finding),
      isOfGuard: finding.path[0] === 'guard',
      describe: () => source.locate(finding),
    })),
  ]);
  const described = all.slice(0, maxDescribed).map(({ describe }) => describe());
  const others = Object.groupBy(all.slice(maxDescribed), ({ isOfGuard }) => (isOfGuard ? 'guard' : ''));
  const counted = Object.entries(others).flatMap(([path, [first, ...rest]]) => {
    if (first === undefined) return [];
    const { line, column } = first;
    const count = 1 + rest.length;
    const message = `${count} more ${count === 1 ? 'problem' : 'problems'}`;
    return [{ file: described[0]?.file ?? '', line, column, path, message, count }];
  });
  return [...described, ...sortByPosition(counted)];
}

/** Formats one line per problem: `file:line:column: path: message (hint)`. */
export function formatProblems(problems: readonly ConfigProblem[]): string {
  return problems.map((problem) => formatProblem(problem)).join('\n');
}

/** Returns the number of problems, of which {@link validate} describes the first. */
export function numberOfProblems(problems: readonly ConfigProblem[]): number {
  return problems.reduce((sum, { count = 1 }) => sum + count, 0);
}

/** Formats the first problem, and the number of the others. */
export function summarizeProblems(problems: readonly ConfigProblem[]): string {
  const [first, ...others] = problems;
  const more = others.length === 0 ? '' : ` (and ${numberOfProblems(others)} more)`;
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
function sortByPosition<Placed extends TextPosition>(problems: readonly Placed[]): readonly Placed[] {
  return problems.toSorted((a, b) => a.line - b.line || a.column - b.column);
}
