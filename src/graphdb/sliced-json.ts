import { isClosing, isOpening, type JsonOutline, smallTextLength } from './json-outline.ts';
import { maxDepth } from './reply-limits.ts';
import type { SlicedWork } from './sliced-work.ts';

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openList = 0x5b;
const backslash = 0x5c;

/** Parses the members of a container: several small ones together, or one large member. */
interface MemberParser {
  parseRun(run: string): void;
  parseMember(member: TextPart): SlicedWork<void>;
}

/** Part of a text: its bytes, its offset in the whole text, its nesting depth, and the outline of the whole text. */
interface TextPart {
  readonly bytes: Uint8Array;
  readonly offset: number;
  readonly depth: number;
  readonly outline: JsonOutline;
}

/** Error for bytes that are not valid UTF-8. */
export class NotUtf8 extends SyntaxError {}

/**
 * `JSON.parse` for UTF-8 of any size, in slices: large containers are walked member by member, small ones are decoded and
 * passed to `JSON.parse`, so that the heap never contains the whole text. Two differences: integers that a double would round
 * become their decimal text, and strings may contain raw control characters, as in the version table of the server. With the
 * outline of the text, each byte is walked once. Throws SyntaxError.
 */
export function parseJson(bytes: Uint8Array, outline: JsonOutline = new Map()): SlicedWork<unknown> {
  return parsePart(wholePart(bytes, outline));
}

/** Receives a JSON text in pieces. */
export interface JsonSink {
  /** Number of bytes so far, in UTF-8. */
  readonly length: number;
  write(text: string): void;
  /** A container that begins at `begin` ends with the last byte. */
  container(begin: number): void;
}

/**
 * Copies a JSON text to `sink`, without blanks and, if `members` is given, without all other members of objects at any
 * level. Large integers become texts, as in {@link parseJson}. Throws SyntaxError.
 */
export function reduceJson(
  bytes: Uint8Array,
  outline: JsonOutline,
  members: readonly string[] | undefined,
  sink: JsonSink,
): SlicedWork<void> {
  return reducePart(wholePart(bytes, outline), { members, sink });
}

/** A byte-order mark may precede the text. */
function wholePart(bytes: Uint8Array, outline: JsonOutline): TextPart {
  const offset = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  return { bytes: bytes.subarray(offset), offset, depth: 0, outline };
}

interface Reduction {
  readonly members: readonly string[] | undefined;
  readonly sink: JsonSink;
}

function* reducePart(part: TextPart, reduction: Reduction): SlicedWork<void> {
  const { members, sink } = reduction;
  const whole = (value: unknown): string => JSON.stringify(value, members === undefined ? null : [...members]);
  const trimmed = trimPart(part);
  const { bytes } = trimmed;
  if (!isWalked(trimmed)) {
    sink.write(whole(parseWhole(decode(bytes))));
    return;
  }
  const isList = bytes[0] === openList;
  const [first, last] = isList ? ['[', ']'] : ['{', '}'];
  const begin = sink.length;
  let separator = first;
  const append = (member: string): void => {
    sink.write(separator + member);
    separator = ',';
  };
  yield* walkMembers(trimmed, {
    parseRun: (run) => {
      const reduced = whole(parseContainer(first + run + last)).slice(1, -1);
      if (reduced !== '') append(reduced);
    },
    *parseMember(member) {
      if (isList) {
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
  sink.write(separator === ',' ? last : first + last);
  sink.container(begin);
}

function* parsePart(part: TextPart): SlicedWork<unknown> {
  if (part.bytes.length <= smallTextLength) return parseWhole(decode(part.bytes));
  const trimmed = trimPart(part);
  if (!isWalked(trimmed)) return parseWhole(decode(trimmed.bytes));
  return trimmed.bytes[0] === openList ? yield* parseList(trimmed) : yield* parseRecord(trimmed);
}

function trimPart(part: TextPart): TextPart {
  const { bytes, offset } = part;
  let [from, to] = [0, bytes.length];
  while (from < to && isBlank(bytes[from])) from += 1;
  while (from < to && isBlank(bytes[to - 1])) to -= 1;
  return { ...part, bytes: bytes.subarray(from, to), offset: offset + from };
}

/** Whether a byte is white space of JSON. */
function isBlank(code: number | undefined): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** Returns whether a part is a container that is walked from member to member. */
function isWalked({ bytes, depth }: TextPart): boolean {
  return bytes.length > smallTextLength && depth < maxDepth && isOpening(bytes[0] ?? 0);
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

function splitMember({ bytes, offset, ...member }: TextPart): { readonly key: string; readonly value: TextPart } {
  const begin = bytes.indexOf(quote);
  if (begin < 0) throw new SyntaxError('missing key');
  const end = bytes.indexOf(colon, endOfString(bytes, begin));
  if (end < 0) throw new SyntaxError('missing value');
  const [key = ''] = Object.keys(parseContainer(`{${decode(bytes.subarray(0, end))}:0}`));
  return { key, value: { ...member, bytes: bytes.subarray(end + 1), offset: offset + end + 1 } };
}

/** Passes the content of a container to `taker`, piece by piece. */
function* walkMembers(part: TextPart, parser: MemberParser): SlicedWork<void> {
  const { bytes, offset } = part;
  const run = (from: number, to: number): string => decode(bytes.subarray(from, to));
  let begun = 1;
  for (let at = 1; ; at += 1) {
    const end = yield* endOfValue(part, at);
    const large = end - at > smallTextLength;
    const last = isClosing(bytes[end] ?? 0);
    // A comma follows each piece, and a comma must be followed by a member.
    if (last && begun > 1 && bytes.subarray(begun, end).every(isBlank)) throw new SyntaxError('unexpected comma');
    if (large && begun < at) parser.parseRun(run(begun, at - 1));
    if (large || last || end - begun > smallTextLength / 2) {
      const member = { ...part, bytes: bytes.subarray(at, end), offset: offset + at, depth: part.depth + 1 };
      if (large) yield* parser.parseMember(member);
      else parser.parseRun(run(begun, end));
      begun = end + 1;
      yield;
    }
    if (last) return checkBrackets(bytes, end);
    at = end;
  }
}

/** The closing bracket must match the opening one, from which it differs by two. */
function checkBrackets(bytes: Uint8Array, end: number): void {
  if (end !== bytes.length - 1 || bytes[end] !== (bytes[0] ?? 0) + 2) throw new SyntaxError('misplaced bracket');
}

/** Index of the comma or bracket that ends the value beginning at `from`. */
function* endOfValue({ bytes, offset, outline }: TextPart, from: number): SlicedWork<number> {
  let open = 0;
  let pause = from + smallTextLength;
  for (let at = from; at < bytes.length; at += 1) {
    const code = bytes[at] ?? 0;
    if (code === quote) at = endOfString(bytes, at);
    else if (isOpening(code)) {
      const end = outline.get(offset + at);
      if (end === undefined) open += 1;
      else at = end - offset;
    } else if (open === 0 && (code === comma || isClosing(code))) return at;
    else if (isClosing(code)) open -= 1;
    if (at > pause) {
      pause = at + smallTextLength;
      yield;
    }
  }
  throw new SyntaxError('unfinished value');
}

/** Index of the quote that ends the string whose first quote is at `from`. */
function endOfString(bytes: Uint8Array, from: number): number {
  for (let at = from + 1; at < bytes.length; at += 1) {
    const code = bytes[at];
    if (code === quote) return at;
    if (code === backslash) at += 1;
  }
  throw new SyntaxError('unfinished string');
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new NotUtf8('not UTF-8');
  }
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
