import { type ErrorCode, Lexer, LineCounter, parseDocument, type YAMLError } from 'yaml';
import type { ConfigProblem, KeyPath, UnlocatedProblem } from '../model/config-problem.ts';
import type { Environment } from './environment.ts';
import { formatPath } from './key-path.ts';
import { buildTree, pathKey, type YamlTree } from './yaml-tree.ts';

/** Parsed YAML text. */
export interface YamlSource {
  /** Plain data; undefined if the text is not valid YAML. */
  readonly value: unknown;
  /** Problems of the syntax. */
  readonly problems: readonly ConfigProblem[];
  /** Whether {@link problems} already contains a problem of the value at `path`. */
  readonly hasProblemAt: (path: KeyPath) => boolean;
  /** Adds file, line and column to a finding; for a missing key, those of the nearest enclosing value. */
  readonly locate: (finding: UnlocatedProblem) => ConfigProblem;
  /** Line and column that {@link locate} adds. */
  readonly positionOf: (finding: UnlocatedProblem) => TextPosition;
}

/** Place in a text. Lines and columns start at 1. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Maximum length of a configuration. */
const maxTextLength = 2 ** 20;
/** Maximum number of lines: the parser needs seconds for a million of them, even if they are blank. */
const maxLines = 50_000;
/**
 * Maximum number of tokens, such as values, colons, brackets, blanks and line feeds: seven for each of 20,000 values. The parser
 * needs ten seconds for a million tokens, which fit into one line.
 */
const maxTokens = 140_000;
const maxErrors = 20;

/** Messages by error code. The messages of the library quote the text, which may contain secrets. */
const errorMessages: Partial<Record<ErrorCode, string>> = {
  BAD_ALIAS: 'alias without a preceding anchor',
  BAD_DQ_ESCAPE: 'unknown escape sequence in a double-quoted string',
  BAD_INDENT: 'wrong indentation, or an unclosed bracket or brace',
  BAD_SCALAR_START: 'string starts with a reserved character; write it in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'nested mapping on one line; write the string in quotes, or use several lines',
  MISSING_CHAR: 'wrong indentation, or a missing bracket, brace, quote, colon or comma',
  MULTILINE_IMPLICIT_KEY: 'key spans several lines; check for a missing colon',
  MULTIPLE_DOCS: 'second document; a file contains one configuration',
  RESOURCE_EXHAUSTION: 'nested too deeply or too large',
  TAB_AS_INDENT: 'tab used for indentation; use spaces',
  TAG_RESOLVE_FAILED: 'tags are not supported; remove the tag',
  UNEXPECTED_TOKEN: 'unexpected token; a string that starts with > or [ must be in quotes',
};

const duplicateKey = { message: 'is not valid YAML: duplicate key; remove one of them' };

/** Parses untrusted YAML: never throws, never repeats a value, and limits size and depth. */
export function readYaml(text: string, file: string, environment?: Environment): YamlSource {
  const lines = new LineCounter();
  const at = (offset: number, path: KeyPath, rest: Pick<ConfigProblem, 'message' | 'hint'>): ConfigProblem => {
    return { file, ...placeAt(lines, offset), path: formatPath(path), ...rest };
  };
  if (text.length > maxTextLength) return invalidSource(at(0, [], { message: 'must not be larger than 1 MiB' }));
  if (hasMoreLines(text, maxLines))
    return invalidSource(at(0, [], { message: `must not have more than ${maxLines} lines` }));
  if (hasMoreTokens(text, maxTokens))
    return invalidSource(at(0, [], { message: `must not have more than ${maxTokens} brackets, commas and values` }));
  const document = parse(text, lines);
  if (document === undefined) return invalidSource(at(0, [], { message: 'is nested too deeply' }));
  const errors = firstErrorPerPosition([...document.errors, ...document.warnings]);
  if (errors.length > 0) {
    return invalidSource(...errors.map(({ pos, code }) => at(pos[0], [], { message: errorMessage(code) })));
  }

  const tree = buildTree(document, environment);
  if (tree.excess !== undefined)
    return invalidSource(at(tree.excess.offset, tree.excess.path, { message: tree.excess.message }));
  const duplicates = tree.duplicates.slice(0, maxErrors).map((offset) => at(offset, [], duplicateKey));
  const locate = ({ path, message, hint, isAboutKey = false }: UnlocatedProblem): ConfigProblem =>
    at(findOffset(tree, path, isAboutKey), path, hint === undefined ? { message } : { message, hint });
  const invalidPaths = new Set(tree.findings.map(({ path }) => pathKey(path)));
  return {
    value: tree.value,
    problems: [...duplicates, ...tree.findings.map(locate)],
    hasProblemAt: (path) =>
      invalidPaths.size > 0 && path.some((_, length) => invalidPaths.has(pathKey(path.slice(0, length + 1)))),
    locate,
    positionOf: ({ path, isAboutKey = false }) => placeAt(lines, findOffset(tree, path, isAboutKey)),
  };
}

function placeAt(lines: LineCounter, offset: number): TextPosition {
  // For an empty text, the counter returns 0:0.
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(1, line), column: Math.max(1, col) };
}

function hasMoreLines(text: string, most: number): boolean {
  let end = -1;
  for (let count = 0; count < most; count += 1) {
    end = text.indexOf('\n', end + 1);
    if (end < 0) return false;
  }
  return end < text.length - 1;
}

function hasMoreTokens(text: string, most: number): boolean {
  const tokens = new Lexer().lex(text);
  for (let count = 0; count <= most; count += 1) if (tokens.next().done === true) return false;
  return true;
}

function parse(text: string, lineCounter: LineCounter): ReturnType<typeof parseDocument> | undefined {
  try {
    return parseDocument(text, {
      lineCounter,
      prettyErrors: false,
      merge: false,
      uniqueKeys: false,
      logLevel: 'error',
    });
  } catch (error) {
    // The parser is recursive: many nested brackets overflow the stack.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** First error at each position, at most {@link maxErrors}: later ones are consequences. */
function firstErrorPerPosition(errors: readonly YAMLError[]): readonly YAMLError[] {
  const positions = new Map<number, YAMLError>();
  for (const error of errors) {
    if (positions.size === maxErrors) break;
    if (!positions.has(error.pos[0])) positions.set(error.pos[0], error);
  }
  return [...positions.values()];
}

function errorMessage(code: ErrorCode): string {
  return `is not valid YAML: ${errorMessages[code] ?? 'syntax error'}`;
}

/** Result for a text that is not valid YAML. */
function invalidSource(...problems: readonly ConfigProblem[]): YamlSource {
  const [first] = problems;
  return {
    value: undefined,
    problems,
    hasProblemAt: () => true,
    locate: ({ path, message }) => ({ file: first?.file ?? '', line: 1, column: 1, path: formatPath(path), message }),
    positionOf: () => ({ line: 1, column: 1 }),
  };
}

function findOffset({ positions }: YamlTree, path: KeyPath, isAboutKey: boolean): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const position = positions.get(pathKey(path.slice(0, length)));
    if (position === undefined) continue;
    const isMissing = length < path.length;
    return (isAboutKey || isMissing ? position.key : undefined) ?? position.value;
  }
  return 0;
}
