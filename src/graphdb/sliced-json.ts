import { type Failure, failure } from '../kernel/failure.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import type { Clock } from '../kernel/time.ts';
import { startTimeSlices } from '../kernel/time-slices.ts';

/** Texts up to this length are parsed in one go: about half a millisecond. */
const smallTextLength = 65_536;
/** Below this many levels everything is parsed in one go, so that hostile nesting cannot make us scan for ever. */
const maximumWalkDepth = 4;
const quote = 0x22;
const comma = 0x2c;
const opening: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const closing: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** Reads a run of small members in one go, or one large member on its own. */
interface MemberParser {
  parseRun(run: string): void;
  parseMember(member: string): SlicedWork<void>;
}

/**
 * `JSON.parse` for answers of any size: large containers are walked from member to member, the small ones
 * inside are left to `JSON.parse`, which is as strict as ever. Integers that a double would round come out as
 * their decimal text. Throws SyntaxError.
 */
export function* parseJson(text: string, depth = 0): SlicedWork<unknown> {
  const body = text.length > smallTextLength ? text.trim() : text;
  const walked = body.length > smallTextLength && depth < maximumWalkDepth;
  if (walked && body.startsWith('[')) return yield* parseList(body, depth);
  if (walked && body.startsWith('{')) return yield* parseRecord(body, depth);
  return parseWhole(body);
}

function* parseList(text: string, depth: number): SlicedWork<unknown[]> {
  const list: unknown[] = [];
  yield* walkMembers(text, {
    parseRun: (run) => list.push(...Object.values(parseContainer(`[${run}]`))),
    *parseMember(member) {
      list.push(yield* parseJson(member, depth + 1));
    },
  });
  return list;
}

function* parseRecord(text: string, depth: number): SlicedWork<Record<string, unknown>> {
  const members: [string, unknown][] = [];
  yield* walkMembers(text, {
    parseRun: (run) => members.push(...Object.entries(parseContainer(`{${run}}`))),
    *parseMember(member) {
      const colon = member.indexOf(':', endOfString(member, member.indexOf('"')));
      const [key = ''] = Object.keys(parseContainer(`{${member.slice(0, colon)}:0}`));
      members.push([key, yield* parseJson(member.slice(colon + 1), depth + 1)]);
    },
  });
  return Object.fromEntries(members);
}

/** Gives what is between the brackets of a container to `taker`, piece by piece. */
function* walkMembers(text: string, taker: MemberParser): SlicedWork<void> {
  let begun = 1;
  for (let at = 1; ; at += 1) {
    const end = yield* endOfValue(text, at);
    const large = end - at > smallTextLength;
    const last = closing.has(text.charCodeAt(end));
    // After a piece that was taken there is a comma, and after a comma there must be something.
    if (last && begun > 1 && text.slice(begun, end).trim() === '') throw new SyntaxError('unexpected comma');
    if (large && begun < at) taker.parseRun(text.slice(begun, at - 1));
    if (large || last || end - begun > smallTextLength / 2) {
      if (large) yield* taker.parseMember(text.slice(at, end));
      else taker.parseRun(text.slice(begun, end));
      begun = end + 1;
      yield;
    }
    if (last) return checkBrackets(text, end);
    at = end;
  }
}

/** What was closed must be the container, by its own kind of bracket. */
function checkBrackets(text: string, end: number): void {
  const pair = `${text[0]}${text[end]}`;
  if (end !== text.length - 1 || (pair !== '[]' && pair !== '{}')) throw new SyntaxError('misplaced bracket');
}

/** Index of the comma or bracket that ends the value beginning at `from`. */
function* endOfValue(text: string, from: number): SlicedWork<number> {
  let open = 0;
  let pause = from + smallTextLength;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
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
  return /(?:^|[:[,\s])-?\d{16}/.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
}

/** The engine hands a reviver the source text of numbers, which TypeScript's declaration does not know yet. */
function keepDigits(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const source = context?.source ?? '';
  return /^-?\d+$/.test(source) ? source : value;
}

const entriesPerYield = 128;

/** Long work on an answer: it yields where it may be interrupted. */
export type SlicedWork<T> = Generator<undefined, T, undefined>;

/** Runs long synchronous work in slices of some milliseconds; an abort in between ends it as `timeout`. */
export async function runSliced<T>(
  work: SlicedWork<T>,
  clock: Clock,
  signal: AbortSignal,
): Promise<Result<T, Failure>> {
  const slices = startTimeSlices(clock);
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) return ok(step.value);
    if (slices.shouldYield()) await slices.nextSlice();
    if (signal.aborted) return err(failure('timeout', 'the response was not parsed within the deadline'));
  }
}

/** Maps a list entry by entry and drops entries for which `change` returns undefined, so that one invalid entry is harmless. */
export function* mapEntries<From, To>(
  entries: Iterable<From>,
  change: (entry: From) => To | undefined,
): SlicedWork<To[]> {
  const mapped: To[] = [];
  let count = 0;
  for (const entry of entries) {
    const one = change(entry);
    if (one !== undefined) mapped.push(one);
    count += 1;
    if (count % entriesPerYield === 0) yield;
  }
  return mapped;
}
