import { type ErrorCode, LineCounter, parseDocument, type YAMLError } from 'yaml';
import type { Finding, KeyPath, Problem } from '../model/problem.ts';
import type { Environment } from './environment.ts';
import { pathText } from './key-path.ts';
import { placeName, plantTree, type Tree } from './yaml-tree.ts';

/** A YAML text that was read as far as it could be. */
export interface YamlSource {
  /** Plain data; undefined where the text is not YAML at all. */
  readonly value: unknown;
  /** What is wrong with the text itself, whatever it is meant to say. */
  readonly problems: readonly Problem[];
  /** Nothing more can be said about the value at `path`: it is in {@link problems} already. */
  readonly isSpoilt: (path: KeyPath) => boolean;
  /** Puts file, line and column to a finding: those of the nearest enclosing value where the key is missing. */
  readonly locate: (finding: Finding) => Problem;
}

/** Far above any configuration, far below what would take noticeable time to parse. */
const largestText = 2 ** 20;
const mostErrors = 20;

/** The library's own messages quote the text, which may hold secrets; only its codes are used. */
const sentences: Partial<Record<ErrorCode, string>> = {
  BAD_ALIAS: 'an alias to an anchor that does not exist before it',
  BAD_DQ_ESCAPE: 'an unknown escape in a double-quoted text',
  BAD_INDENT: 'wrong indentation, or a bracket or brace that is not closed',
  BAD_SCALAR_START: 'a text that begins with a reserved character: put it in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'a nested mapping on one line: put the text in quotes, or use several lines',
  DUPLICATE_KEY: 'this key was given before',
  MISSING_CHAR: 'wrong indentation, or a bracket, brace, quote, colon or comma is missing',
  MULTILINE_IMPLICIT_KEY: 'a key that goes over several lines: perhaps a colon is missing',
  MULTIPLE_DOCS: 'a second document: one file holds one configuration',
  RESOURCE_EXHAUSTION: 'too deep or too large',
  TAB_AS_INDENT: 'a tab: indent with spaces',
  TAG_RESOLVE_FAILED: 'a tag: tags are not supported',
  UNEXPECTED_TOKEN: 'something that does not belong here: perhaps a text that begins with > needs quotes',
};

/** Reads hostile YAML: never throws, never repeats a value, bounds everything. */
export function readYaml(text: string, file: string, environment?: Environment): YamlSource {
  const lines = new LineCounter();
  const at = (offset: number, path: KeyPath, rest: Pick<Problem, 'message' | 'hint'>): Problem => {
    // The counter answers 0:0 before it has seen a line: an empty text.
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(1, line), column: Math.max(1, col), path: pathText(path), ...rest };
  };
  if (text.length > largestText) return unreadable(at(0, [], { message: 'is larger than 1 MiB' }));
  const document = parse(text, lines);
  if (document === undefined) return unreadable(at(0, [], { message: 'is too deeply nested' }));
  const errors = firstOfEachPlace([...document.errors, ...document.warnings]);
  const syntax = errors.map((error) => at(error.pos[0], [], { message: sentenceFor(error) }));
  if (errors.some((error) => error.code !== 'DUPLICATE_KEY')) return unreadable(...syntax);

  const tree = plantTree(document, environment);
  if (tree.isTooLarge) return unreadable(at(0, [], { message: 'is too large once its aliases are followed' }));
  const locate = ({ path, message, hint, aboutKey = false }: Finding): Problem =>
    at(offsetOf(tree, path, aboutKey), path, hint === undefined ? { message } : { message, hint });
  const spoilt = new Set(tree.findings.map(({ path }) => placeName(path)));
  return {
    value: tree.value,
    problems: [...syntax, ...tree.findings.map(locate)],
    isSpoilt: (path) => path.some((_, length) => spoilt.has(placeName(path.slice(0, length + 1)))),
    locate,
  };
}

function parse(text: string, lineCounter: LineCounter): ReturnType<typeof parseDocument> | undefined {
  try {
    return parseDocument(text, { lineCounter, prettyErrors: false, merge: false, logLevel: 'error' });
  } catch (error) {
    // The parser is recursive: a hundred thousand brackets overflow the stack.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A second error at the same place is an afterthought; after the first twenty, so is everything. */
function firstOfEachPlace(errors: readonly YAMLError[]): readonly YAMLError[] {
  const places = new Map<number, YAMLError>();
  for (const error of errors) {
    if (places.size === mostErrors) break;
    if (!places.has(error.pos[0])) places.set(error.pos[0], error);
  }
  return [...places.values()];
}

function sentenceFor({ code }: YAMLError): string {
  return `is not valid YAML: ${sentences[code] ?? 'something that cannot be understood'}`;
}

/** What is left of a text that cannot be understood: its problems. */
function unreadable(...problems: readonly Problem[]): YamlSource {
  const [first] = problems;
  return {
    value: undefined,
    problems,
    isSpoilt: () => true,
    locate: ({ path, message }) => ({ file: first?.file ?? '', line: 1, column: 1, path: pathText(path), message }),
  };
}

function offsetOf({ places }: Tree, path: KeyPath, aboutKey: boolean): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const place = places.get(placeName(path.slice(0, length)));
    if (place === undefined) continue;
    const isMissing = length < path.length;
    return (aboutKey || isMissing ? place.key : undefined) ?? place.value;
  }
  return 0;
}
