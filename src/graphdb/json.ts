import type { Work } from './slices.ts';

/** Texts up to this length are parsed in one go: about half a millisecond. */
const smallText = 65_536;
/** Below this many levels everything is parsed in one go, so that hostile nesting cannot make us scan for ever. */
const deepestWalk = 4;
const quote = 0x22;
const comma = 0x2c;
const opening: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const closing: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** Reads a run of small members in one go, or one large member on its own. */
interface Taker {
  small(run: string): void;
  large(member: string): Work<void>;
}

/**
 * `JSON.parse` for answers of any size: large containers are walked from member to member, the small ones
 * inside are left to `JSON.parse`, which is as strict as ever. Integers that a double would round come out as
 * their decimal text. Throws SyntaxError.
 */
export function* parseJson(text: string, depth = 0): Work<unknown> {
  const body = text.length > smallText ? text.trim() : text;
  const walked = body.length > smallText && depth < deepestWalk;
  if (walked && body.startsWith('[')) return yield* parseList(body, depth);
  if (walked && body.startsWith('{')) return yield* parseRecord(body, depth);
  return parseWhole(body);
}

function* parseList(text: string, depth: number): Work<unknown[]> {
  const list: unknown[] = [];
  yield* walk(text, {
    small: (run) => list.push(...Object.values(parseContainer(`[${run}]`))),
    *large(member) {
      list.push(yield* parseJson(member, depth + 1));
    },
  });
  return list;
}

function* parseRecord(text: string, depth: number): Work<Record<string, unknown>> {
  const members: [string, unknown][] = [];
  yield* walk(text, {
    small: (run) => members.push(...Object.entries(parseContainer(`{${run}}`))),
    *large(member) {
      const colon = member.indexOf(':', endOfString(member, member.indexOf('"')));
      const [key = ''] = Object.keys(parseContainer(`{${member.slice(0, colon)}:0}`));
      members.push([key, yield* parseJson(member.slice(colon + 1), depth + 1)]);
    },
  });
  return Object.fromEntries(members);
}

/** Gives what is between the brackets of a container to `taker`, piece by piece. */
function* walk(text: string, taker: Taker): Work<void> {
  let begun = 1;
  for (let at = 1; ; at += 1) {
    const end = yield* endOfValue(text, at);
    const large = end - at > smallText;
    const last = closing.has(text.charCodeAt(end));
    // After a piece that was taken there is a comma, and after a comma there must be something.
    if (last && begun > 1 && text.slice(begun, end).trim() === '') throw new SyntaxError('a comma too many');
    if (large && begun < at) taker.small(text.slice(begun, at - 1));
    if (large || last || end - begun > smallText / 2) {
      if (large) yield* taker.large(text.slice(at, end));
      else taker.small(text.slice(begun, end));
      begun = end + 1;
      yield;
    }
    if (last) return finish(text, end);
    at = end;
  }
}

/** What was closed must be the container, by its own kind of bracket. */
function finish(text: string, end: number): void {
  const pair = `${text[0]}${text[end]}`;
  if (end !== text.length - 1 || (pair !== '[]' && pair !== '{}')) throw new SyntaxError('misplaced bracket');
}

/** Index of the comma or bracket that ends the value beginning at `from`. */
function* endOfValue(text: string, from: number): Work<number> {
  let open = 0;
  let pause = from + smallText;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (opening.has(code)) open += 1;
    else if (open === 0 && (code === comma || closing.has(code))) return at;
    else if (closing.has(code)) open -= 1;
    if (at > pause) {
      pause = at + smallText;
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
  return /(?:^|[:[,\s])-?\d{16}/.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
}

/** The engine hands a reviver the source text of numbers, which TypeScript's declaration does not know yet. */
function keepDigits(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const source = context?.source ?? '';
  return /^-?\d+$/.test(source) ? source : value;
}
