import { err, ok, type Result } from '../kernel/result.ts';

/** Syntax tree of a regular expression without constructs that need backtracking. */
export type Regex =
  | { readonly kind: 'character'; readonly accepts: (character: string) => boolean }
  | { readonly kind: 'sequence'; readonly parts: readonly Regex[] }
  | { readonly kind: 'choice'; readonly parts: readonly Regex[] }
  | { readonly kind: 'repeat'; readonly part: Regex; readonly min: number; readonly max: number };

type Accepts = (character: string) => boolean;

interface RegexReader {
  /** Characters of the expression, each with its preceding backslash if there is one. */
  readonly characters: readonly string[];
  at: number;
  /** First syntax error; the parser skips the rest of the text after it. */
  problem: string | undefined;
}

const nothing: Regex = { kind: 'sequence', parts: [] };
const maxRepeats = 1000;

const classes: Readonly<Record<string, RegExp>> = {
  d: /^\d$/u,
  D: /^\D$/u,
  w: /^\w$/u,
  W: /^\W$/u,
  s: /^\s$/u,
  S: /^\S$/u,
};
const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/**
 * Parses the subset of the usual syntax that can be matched in linear time, written `^…$`: characters, `.` (any one),
 * `[classes]`, `\d \w \s`, groups, `|` within a group, `* + ? {n,m}`. The error names the unsupported construct and does
 * not quote the text.
 */
export function parseRegex(text: string): Result<Regex, string> {
  const body = /^\^(.*)\$$/su.exec(text)?.[1];
  if (body === undefined || /(?:^|[^\\])(?:\\\\)*\\$/u.test(body)) {
    return err('is not anchored; write re:^…$');
  }
  const reader: RegexReader = { characters: Array.from(body.matchAll(/\\?./gsu), String), at: 0, problem: undefined };
  const tree = parseSequence(reader);
  if (reader.problem !== undefined) return err(reader.problem);
  if (next(reader) === '|') return err('is not anchored as a whole; put alternatives in a group, re:^(…|…)$');
  return next(reader) === undefined ? ok(tree) : err('contains an unmatched )');
}

function next({ characters, at }: RegexReader): string | undefined {
  return characters[at];
}

function skip(reader: RegexReader, character: string): boolean {
  if (next(reader) !== character) return false;
  reader.at += 1;
  return true;
}

function fail(reader: RegexReader, problem: string): Regex {
  reader.problem ??= problem;
  reader.at = reader.characters.length;
  return nothing;
}

function parseChoice(reader: RegexReader): Regex {
  const parts = [parseSequence(reader)];
  while (skip(reader, '|')) parts.push(parseSequence(reader));
  return { kind: 'choice', parts };
}

function parseSequence(reader: RegexReader): Regex {
  const parts: Regex[] = [];
  for (let character = next(reader); character !== undefined && !'|)'.includes(character); character = next(reader)) {
    parts.push(parseRepeated(reader, character));
  }
  return { kind: 'sequence', parts };
}

function parseRepeated(reader: RegexReader, character: string): Regex {
  reader.at += 1;
  const part = parseAtom(reader, character);
  const count = parseCount(reader);
  if (count === undefined) return part;
  if (['*', '+', '?', '{'].includes(next(reader) ?? '')) {
    return fail(reader, 'repeats a repetition; write only one of * + ? {n,m}');
  }
  return { kind: 'repeat', part, min: count[0], max: count[1] };
}

function parseCount(reader: RegexReader): readonly [min: number, max: number] | undefined {
  if (skip(reader, '*')) return [0, Number.POSITIVE_INFINITY];
  if (skip(reader, '+')) return [1, Number.POSITIVE_INFINITY];
  if (skip(reader, '?')) return [0, 1];
  if (next(reader) !== '{') return undefined;
  const rest = reader.characters.slice(reader.at, reader.at + 12).join('');
  const [all = '', min = '', comma, max = ''] = /^\{(\d{1,4})(,(\d{0,4}))?\}/.exec(rest) ?? [];
  reader.at += all.length;
  const upper = comma === undefined ? Number(min) : max === '' ? Number.POSITIVE_INFINITY : Number(max);
  if (all !== '' && Number(min) <= Math.min(upper, maxRepeats)) return [Number(min), upper];
  fail(reader, 'contains a brace that is not a count; write {3}, {3,} or {3,9}, or \\{ for the character');
  return undefined;
}

function parseAtom(reader: RegexReader, character: string): Regex {
  if (character === '(') return parseGroup(reader);
  if (character === '[') return parseClass(reader);
  if (character === '.') return { kind: 'character', accepts: () => true };
  if (isEscape(character)) return { kind: 'character', accepts: parseEscape(reader, character.slice(1)) };
  if ('*+?{'.includes(character)) return fail(reader, 'has nothing before * + ? {n,m}');
  if ('^$'.includes(character)) return fail(reader, 'contains ^ or $ in the middle; they are allowed at the ends only');
  if (']}'.includes(character)) return fail(reader, 'contains an unmatched closing bracket; write \\ before it');
  return { kind: 'character', accepts: (one) => one === character };
}

function parseGroup(reader: RegexReader): Regex {
  if (skip(reader, '?') && !skip(reader, ':')) {
    return fail(reader, 'contains a lookaround or a named group, which cannot be matched in linear time');
  }
  const inside = parseChoice(reader);
  return skip(reader, ')') ? inside : fail(reader, 'contains a ( that is not closed');
}

function parseClass(reader: RegexReader): Regex {
  const isInverted = skip(reader, '^');
  const members: Accepts[] = [];
  for (let character = next(reader); character !== undefined && character !== ']'; character = next(reader)) {
    members.push(parseClassMember(reader, character));
  }
  if (!skip(reader, ']')) return fail(reader, 'contains a [ that is not closed');
  if (members.length === 0) return fail(reader, 'contains an empty []');
  return { kind: 'character', accepts: (one) => members.some((accepts) => accepts(one)) !== isInverted };
}

function parseClassMember(reader: RegexReader, first: string): Accepts {
  reader.at += 1;
  if (isEscape(first)) return parseEscape(reader, first.slice(1));
  const last = reader.characters[reader.at + 1];
  if (next(reader) !== '-' || last === undefined || last === ']') return (one) => one === first;
  reader.at += 2;
  const [from, to] = [codeOf(first), codeOf(last)];
  if (isEscape(last) || from > to) fail(reader, 'contains a descending range in []');
  return (one) => codeOf(one) >= from && codeOf(one) <= to;
}

function codeOf(character: string): number {
  return Number(character.codePointAt(0));
}

function isEscape(character: string): boolean {
  return character.startsWith('\\');
}

function parseEscape(reader: RegexReader, character: string): Accepts {
  const known = classes[character];
  if (known !== undefined) return (one) => known.test(one);
  const meant = controls[character] ?? character;
  if (/^[0-9]$/.test(character)) fail(reader, 'contains a backreference, which cannot be matched in linear time');
  else if (meant === character && /^[\p{L}\p{N}_]?$/u.test(character)) {
    fail(reader, 'has a \\ before a character that does not need it; supported are \\d \\w \\s \\n \\r \\t and signs');
  }
  return (one) => one === meant;
}
