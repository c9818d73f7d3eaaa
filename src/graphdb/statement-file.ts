import type { Logger } from '../kernel/logger.ts';
import type { Files } from '../kernel/system.ts';
import { identifier, maxStatements, requestId } from './settings-fields.ts';

/** Content of a statements file. */
export interface StatementFileContent {
  /** Request ids by name. */
  readonly statements: Readonly<Record<string, string>>;
  /** `FILE:LINE: what is wrong`; without texts of the file. */
  readonly problems: readonly string[];
}

/** File with names and request ids of asynchronous statements, which may change. */
export interface StatementFile {
  /** Returns the current content; the last one while the file cannot be read, with that as its problem. */
  read(): Promise<StatementFileContent>;
}

interface StatementFileParts {
  readonly path: string;
  readonly files: Files;
  readonly log: Logger | undefined;
  /** Statements of the configuration, which take precedence. */
  readonly configured: Readonly<Record<string, string>>;
}

/** Maximum number of log lines for one content. */
const maxLogLines = 20;

/** Maximum number of lines of a file. */
const maxFileLines = 1000;

/** Opens a statements file: it is read again when it changes, and logs problems once for each content. */
export function createStatementFile({ path, files, log, configured }: StatementFileParts): StatementFile {
  let held: (StatementFileContent & { readonly stamp: string | undefined }) | undefined;

  function keep(content: StatementFileContent, stamp: string | undefined): StatementFileContent {
    const before = held?.problems ?? [];
    held = { ...content, stamp };
    if (content.problems.join('\n') === before.join('\n')) return content;
    for (const error of content.problems.slice(0, maxLogLines)) log?.warn('statements file problem', { error });
    const more = content.problems.length - maxLogLines;
    if (more > 0) log?.warn('statements file problems not logged', { file: path, problems: more });
    if (content.problems.length === 0) log?.info('statements file valid', { file: path });
    return content;
  }

  return {
    async read() {
      const stamp = await files.stamp(path);
      if (held !== undefined && stamp !== undefined && stamp === held.stamp) return held;
      const text = await files.readText(path);
      if (text.ok) return keep(parseStatements(path, text.value, configured), stamp);
      return keep({ statements: held?.statements ?? {}, problems: [`${path}: ${text.error}`] }, undefined);
    },
  };
}

/** Parses a statements file. A line with a problem is dropped; the others are kept. */
export function parseStatements(
  path: string,
  text: string,
  configured: Readonly<Record<string, string>>,
): StatementFileContent {
  const statements = new Map<string, string>();
  const problems: string[] = [];
  const capacity = maxStatements - Object.keys(configured).length;
  const lines = text.split(/\r?\n/);
  for (const [at, line] of lines.slice(0, maxFileLines).entries()) {
    const [name = '', id = '', ...rest] = line.replace(/#.*$/, '').trim().split(/\s+/);
    if (name === '') continue;
    const problem = lineProblem(name, id, rest) ?? nameProblem(name, { configured, statements, capacity });
    if (problem === undefined) statements.set(name, id);
    else problems.push(`${path}:${at + 1}: ${problem}`);
  }
  if (lines.slice(maxFileLines).some((line) => line.trim() !== '')) {
    problems.push(
      `${path}:${maxFileLines + 1}: the file has more than ${maxFileLines} lines; remove statements that ended`,
    );
  }
  return { statements: Object.fromEntries(statements), problems };
}

function lineProblem(name: string, id: string, rest: readonly string[]): string | undefined {
  if (id === '') return 'must be a name and a request id, separated by blanks';
  if (rest.length > 0) return 'has more than a name and a request id';
  const wrongName = identifier.safeParse(name);
  if (!wrongName.success) return `the name ${wrongName.error.issues[0]?.message ?? ''}`;
  const wrongId = requestId.safeParse(id);
  return wrongId.success ? undefined : `the second word ${wrongId.error.issues[0]?.message ?? ''}`;
}

interface KnownStatements {
  readonly configured: Readonly<Record<string, string>>;
  readonly statements: ReadonlyMap<string, string>;
  /** Maximum number of statements of the file. */
  readonly capacity: number;
}

function nameProblem(name: string, { configured, statements, capacity }: KnownStatements): string | undefined {
  if (Object.hasOwn(configured, name)) return 'the name is in clusters[].statements as well; use another one';
  if (statements.has(name)) return 'the name occurs in an earlier line; use another one';
  return statements.size >= capacity
    ? `is one of more than ${maxStatements} statements; remove those that ended`
    : undefined;
}
