import type { Work } from './slices.ts';

/** Texts up to this length are parsed in one go: well below a millisecond. */
const smallText = 65_536;
/** Below this many levels everything is parsed in one go, so that hostile nesting cannot make us scan for ever. */
const deepestWalk = 4;
const quote = 0x22;
const comma = 0x2c;
const opening: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const closing: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/**
 * `JSON.parse` for answers of any size: large containers are walked member by member, the small ones inside
 * are left to `JSON.parse`, which is as strict as ever. Integers that a double would round come out as their
 * decimal text. Throws SyntaxError.
 */
export function* parseJson(text: string, depth = 0): Work<unknown> {
  const body = text.length > smallText ? text.trim() : text;
  if (body.length <= smallText || depth >= deepestWalk) return parseWhole(body);
  if (body.startsWith('[')) return yield* parseList(body, depth);
  if (body.startsWith('{')) return yield* parseRecord(body, depth);
  return parseWhole(body);
}

function* parseList(text: string, depth: number): Work<unknown[]> {
  const list: unknown[] = [];
  for (let at = 1; at < text.length; at += 1) {
    const end = yield* endOfValue(text, at);
    list.push(yield* parseJson(text.slice(at, end), depth + 1));
    at = end;
    if (text[at] === ']') return lastly(text, at, list);
    if (text[at] !== ',') break;
  }
  throw new SyntaxError('unfinished array');
}

function* parseRecord(text: string, depth: number): Work<Record<string, unknown>> {
  const members: [string, unknown][] = [];
  for (let at = 1; at < text.length; at += 1) {
    const colon = text.indexOf(':', endOfString(text, text.indexOf('"', at)));
    const end = yield* endOfValue(text, colon + 1);
    members.push([keyOf(text.slice(at, colon)), yield* parseJson(text.slice(colon + 1, end), depth + 1)]);
    at = end;
    if (text[at] === '}') return lastly(text, at, Object.fromEntries(members));
    if (text[at] !== ',') break;
  }
  throw new SyntaxError('unfinished object');
}

/** A container that was finished must be all there is. */
function lastly<T>(text: string, at: number, container: T): T {
  if (at !== text.length - 1) throw new SyntaxError('something follows the end');
  return container;
}

function keyOf(text: string): string {
  const key: unknown = JSON.parse(text);
  if (typeof key !== 'string') throw new SyntaxError('a key is no string');
  return key;
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
  for (let at = from; at >= 0; ) {
    at = text.indexOf('"', at + 1);
    if (at < 0) break;
    let backslashes = 0;
    while (text[at - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  throw new SyntaxError('unfinished string');
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
