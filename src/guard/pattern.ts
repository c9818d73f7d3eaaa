import { err, mapResult, ok, type Result } from '../kernel/result.ts';
import { compileRegex, isWithinSizeLimit } from './regex-matcher.ts';
import { parseRegex } from './regex-parser.ts';

/** Alternative patterns, at least one: a text matches if one pattern matches the whole text. */
export type Patterns = readonly Pattern[];

/** A glob (`*` any run of characters, `?` any one character), or the text after `re:`. Both match whole texts. */
export interface Pattern {
  readonly kind: 'glob' | 'regex';
  readonly text: string;
}

/** Kind of text that a pattern matches: a name in the server, the name of a node, or any text that a client sends. */
export type Subject = 'name' | 'node' | 'text';

const regexPrefix = 're:';
const maxLength = 500;
const forbiddenCharacters: Readonly<Record<Subject, RegExp>> = {
  name: /[^\w*?]/u,
  node: /[^\w.*?-]/u,
  text: /[[\]{}\\]/u,
};

/**
 * Parses a glob, or a regular expression after `re:`. Rejects an ambiguous glob (`{a,b}`, `.*`), because a protection
 * that does not match as intended lets the guard abort a query.
 */
export function parsePattern(text: string, subject: Subject): Result<Pattern, string> {
  if (text.length > maxLength) return err(`must not be longer than ${maxLength} characters`);
  if (text.startsWith(regexPrefix)) return parseRegexPattern(text.slice(regexPrefix.length));
  if (subject !== 'text' && text === '') return err('must not be empty');
  if (!forbiddenCharacters[subject].test(text)) return ok({ kind: 'glob', text });
  return err(
    subject !== 'text'
      ? 'contains characters that are not allowed in a name; a glob supports * and ?, a regular expression is written re:^…$'
      : 'contains brackets or a backslash; a glob supports only * and ?, a regular expression is written re:^…$',
  );
}

function parseRegexPattern(text: string): Result<Pattern, string> {
  const tree = parseRegex(text);
  if (tree.ok && !isWithinSizeLimit(tree.value)) return err('has too many repetitions');
  return mapResult(tree, () => ({ kind: 'regex', text }));
}

/** Formats a pattern as the text that {@link parsePattern} parses. */
export function formatPattern({ kind, text }: Pattern): string {
  return kind === 'regex' ? `${regexPrefix}${text}` : text;
}

/** Compiles patterns to a test of whether one of them matches the whole text. */
export function compilePatterns(patterns: Patterns): (text: string) => boolean {
  const tests = patterns.map(compilePattern);
  return (text) => tests.some((test) => test(text));
}

function compilePattern({ kind, text }: Pattern): (text: string) => boolean {
  if (kind === 'glob') return compileGlob(text);
  const tree = parseRegex(text);
  if (!tree.ok) throw new Error(`a pattern that was not accepted ${tree.error}`);
  return compileRegex(tree.value);
}

const anyRun = '*'.charCodeAt(0);
const anyOne = '?'.charCodeAt(0);

/** Compiles a glob. The part after a star matches as far left as possible, so only the last star needs backtracking. */
function compileGlob(glob: string): (text: string) => boolean {
  if (!/[*?]/.test(glob)) return (text) => text === glob;
  const wanted = Array.from({ length: glob.length }, (_, at) => glob.charCodeAt(at));
  return (text) => {
    let at = 0;
    let lastStar = -1;
    let taken = 0;
    for (let index = 0; index < text.length; ) {
      if (wanted[at] === anyRun) {
        if (at === wanted.length - 1) return true;
        lastStar = at;
        taken = index;
        at += 1;
      } else if (wanted[at] === anyOne || wanted[at] === text.charCodeAt(index)) {
        index += wanted[at] === anyOne ? widthAt(text, index) : 1;
        at += 1;
      } else if (lastStar >= 0) {
        taken += 1;
        index = taken;
        at = lastStar + 1;
      } else return false;
    }
    return wanted.slice(at).every((one) => one === anyRun);
  };
}

/** Returns the number of UTF-16 code units of the character at `index`. */
function widthAt(text: string, index: number): number {
  return Number(text.codePointAt(index)) > 0xff_ff ? 2 : 1;
}

const alphabet = Array.from('abcdefghijklmnopqrstuvwxyz');
const ordinaryNames = [...alphabet, ...alphabet.map((character) => `${character}_report_2`), 'x'.repeat(128)];

/**
 * Returns whether the patterns match every ordinary name. A policy with such patterns excludes no query by its name.
 */
export function matchesEveryName(patterns: Patterns): boolean {
  return ordinaryNames.every(compilePatterns(patterns));
}
