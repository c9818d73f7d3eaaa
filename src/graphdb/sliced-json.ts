import { type JsonOutline, smallTextLength } from './json-outline.ts';
import { maxDepth } from './reply-limits.ts';
import type { SlicedWork } from './sliced-work.ts';

const quote = 0x22;
const comma = 0x2c;
const opening: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const closing: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** Reads a run of small members in one go, or one large member on its own. */
interface MemberParser {
  parseRun(run: string): void;
  parseMember(member: TextPart): SlicedWork<void>;
}

/** Part of a text that is parsed: where it begins in the whole, how deep it is, and what is known of the whole. */
interface TextPart {
  readonly text: string;
  readonly offset: number;
  readonly depth: number;
  readonly outline: JsonOutline;
}

/**
 * `JSON.parse` for answers of any size: large containers are walked from member to member, the small ones
 * inside are left to `JSON.parse`. Two differences: integers that a double would round come out as their decimal
 * text, and strings may contain raw control characters, as in the server's table of versions. With the outline of the
 * text, each character is read once. Throws SyntaxError.
 */
export function parseJson(text: string, outline: JsonOutline = new Map()): SlicedWork<unknown> {
  return parsePart({ text, offset: 0, depth: 0, outline });
}

/** Receives a JSON text in pieces. */
export interface JsonSink {
  /** Number of characters so far. */
  readonly length: number;
  write(text: string): void;
  /** A container that begins at `begin` ends with the last character. */
  container(begin: number): void;
}

/**
 * Copies a JSON text to `sink`, without blanks and, if `members` is given, without all other members of objects at any
 * level. Large integers become texts, as in {@link parseJson}. Throws SyntaxError.
 */
export function reduceJson(
  text: string,
  outline: JsonOutline,
  members: readonly string[] | undefined,
  sink: JsonSink,
): SlicedWork<void> {
  return reducePart({ text, offset: 0, depth: 0, outline }, { members, sink });
}

interface Reduction {
  readonly members: readonly string[] | undefined;
  readonly sink: JsonSink;
}

function* reducePart(part: TextPart, reduction: Reduction): SlicedWork<void> {
  const { members, sink } = reduction;
  const whole = (value: unknown): string => JSON.stringify(value, members === undefined ? null : [...members]);
  const trimmed = trimPart(part);
  const { text } = trimmed;
  if (!isWalked(trimmed)) {
    sink.write(whole(parseWhole(text)));
    return;
  }
  const begin = sink.length;
  let separator = text[0] ?? '';
  const append = (member: string): void => {
    sink.write(separator + member);
    separator = ',';
  };
  yield* walkMembers(trimmed, {
    parseRun: (run) => {
      const reduced = whole(parseContainer(`${text[0]}${run}${text.at(-1)}`)).slice(1, -1);
      if (reduced !== '') append(reduced);
    },
    *parseMember(member) {
      if (text.startsWith('[')) {
        append('');
        yield* reducePart(member, reduction);
        return;
      }
      const { key, value } = splitMember(member);
      if (members?.includes(key) === false) return;
      append(`${JSON.stringify(key)}:`);
      yield* reducePart(value, reduction);
    },
  });
  sink.write(separator === ',' ? (text.at(-1) ?? '') : `${text[0]}${text.at(-1)}`);
  sink.container(begin);
}

function* parsePart(part: TextPart): SlicedWork<unknown> {
  if (part.text.length <= smallTextLength) return parseWhole(part.text);
  const trimmed = trimPart(part);
  if (!isWalked(trimmed)) return parseWhole(trimmed.text);
  return trimmed.text.startsWith('[') ? yield* parseList(trimmed) : yield* parseRecord(trimmed);
}

function trimPart(part: TextPart): TextPart {
  const offset = part.offset + part.text.length - part.text.trimStart().length;
  return { ...part, text: part.text.trim(), offset };
}

/** Returns whether a part is a container that is walked from member to member. */
function isWalked({ text, depth }: TextPart): boolean {
  return text.length > smallTextLength && depth < maxDepth && /^[[{]/.test(text);
}

function* parseList(part: TextPart): SlicedWork<unknown[]> {
  const list: unknown[] = [];
  yield* walkMembers(part, {
    parseRun: (run) => list.push(...Object.values(parseContainer(`[${run}]`))),
    *parseMember(member) {
      list.push(yield* parsePart(member));
    },
  });
  return list;
}

function* parseRecord(part: TextPart): SlicedWork<Record<string, unknown>> {
  const members: [string, unknown][] = [];
  yield* walkMembers(part, {
    parseRun: (run) => members.push(...Object.entries(parseContainer(`{${run}}`))),
    *parseMember(member) {
      const { key, value } = splitMember(member);
      members.push([key, yield* parsePart(value)]);
    },
  });
  return Object.fromEntries(members);
}

function splitMember({ text, offset, ...member }: TextPart): { readonly key: string; readonly value: TextPart } {
  const colon = text.indexOf(':', endOfString(text, text.indexOf('"')));
  const [key = ''] = Object.keys(parseContainer(`{${text.slice(0, colon)}:0}`));
  return { key, value: { ...member, text: text.slice(colon + 1), offset: offset + colon + 1 } };
}

/** Passes the content of a container to `taker`, piece by piece. */
function* walkMembers(part: TextPart, taker: MemberParser): SlicedWork<void> {
  const { text, offset } = part;
  let begun = 1;
  for (let at = 1; ; at += 1) {
    const end = yield* endOfValue(part, at);
    const large = end - at > smallTextLength;
    const last = closing.has(text.charCodeAt(end));
    // A comma follows each piece, and a comma must be followed by a member.
    if (last && begun > 1 && text.slice(begun, end).trim() === '') throw new SyntaxError('unexpected comma');
    if (large && begun < at) taker.parseRun(text.slice(begun, at - 1));
    if (large || last || end - begun > smallTextLength / 2) {
      const member = { ...part, text: text.slice(at, end), offset: offset + at, depth: part.depth + 1 };
      if (large) yield* taker.parseMember(member);
      else taker.parseRun(text.slice(begun, end));
      begun = end + 1;
      yield;
    }
    if (last) return checkBrackets(text, end);
    at = end;
  }
}

/** The closing bracket must match the opening one. */
function checkBrackets(text: string, end: number): void {
  const pair = `${text[0]}${text[end]}`;
  if (end !== text.length - 1 || (pair !== '[]' && pair !== '{}')) throw new SyntaxError('misplaced bracket');
}

/** Index of the comma or bracket that ends the value beginning at `from`. */
function* endOfValue({ text, offset, outline }: TextPart, from: number): SlicedWork<number> {
  let open = 0;
  let pause = from + smallTextLength;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (outline.has(offset + at)) at = (outline.get(offset + at) ?? 0) - offset;
    else if (opening.has(code)) open += 1;
    else if (open === 0 && (code === comma || closing.has(code))) return at;
    else if (closing.has(code)) open -= 1;
    if (at > pause) {
      pause = at + smallTextLength;
      yield;
    }
  }
  throw new SyntaxError('unfinished value');
}

/** Index of the quote that ends the string whose first quote is at `from`. */
function endOfString(text: string, from: number): number {
  let at = text.indexOf('"', from + 1);
  while (at > 0 && isEscaped(text, at)) at = text.indexOf('"', at + 1);
  if (at <= 0) throw new SyntaxError('unfinished string');
  return at;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

function parseContainer(text: string): object {
  const container = parseWhole(text);
  if (typeof container !== 'object' || container === null) throw new SyntaxError('no container');
  return container;
}

function parseWhole(text: string): unknown {
  try {
    return parseStrictly(text);
  } catch (error) {
    if (!controlCharacter.test(text)) throw error;
    return parseStrictly(text.replace(stringLiteral, escapeControlCharacters));
  }
}

const controlCharacter = /\p{Cc}/u;

/** A string with its quotes; the last one may lack its end. */
const stringLiteral = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)/gs;

/** A control character after a backslash stays, and is an error. */
function escapeControlCharacters(literal: string): string {
  return literal.replace(/\\.|\p{Cc}/gsu, (part) => (part.length > 1 ? part : JSON.stringify(part).slice(1, -1)));
}

function parseStrictly(text: string): unknown {
  return /(?:^|[:[,\s])-?\d{16}/.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
}

/** The engine hands a reviver the source text of numbers, which TypeScript's declaration does not know yet. */
function keepDigits(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const source = context?.source ?? '';
  return /^-?\d+$/.test(source) ? source : value;
}
