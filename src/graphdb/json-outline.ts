import type { Failure } from '../kernel/failure.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import { maxDepth, maxTextLength, overLimit, type ReplyLimits } from './reply-limits.ts';
import type { SlicedWork } from './sliced-work.ts';

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** Containers up to this length in bytes are parsed in one go: about half a millisecond. */
export const smallTextLength = 65_536;

/** Index of the byte with which each container that is longer than {@link smallTextLength} begins and ends. */
export type JsonOutline = ReadonlyMap<number, number>;

interface OpenContainer {
  readonly at: number;
  entries: number;
}

/**
 * Counts what a JSON text in UTF-8 contains, without parsing it: the failure is the first limit that it exceeds. The syntax is not
 * checked; a text that ends early or has too many brackets is left to the parser.
 */
export function* outlineJson(text: Uint8Array, limits: ReplyLimits): SlicedWork<Result<JsonOutline, Failure>> {
  const counts = new OutlineCounts(limits);
  let pause = smallTextLength;
  for (let at = 0; at < text.length; at += 1) {
    if (at >= pause) {
      pause = at + smallTextLength;
      yield;
    }
    const code = text[at] ?? 0;
    if (code === quote) at = stringEnd(text, at);
    else if (code !== comma && !isOpening(code) && !isClosing(code)) continue;
    const excess = counts.add(code, at);
    if (excess !== undefined) return err(excess);
  }
  const excess = counts.add(0, text.length);
  return excess === undefined ? ok(counts.ends) : err(excess);
}

/** Whether a byte begins a list or an object. */
export function isOpening(code: number): boolean {
  return code === openList || code === openObject;
}

/** Whether a byte ends a list or an object. */
export function isClosing(code: number): boolean {
  return code === closeList || code === closeObject;
}

/** Counts up to a position of the text. */
class OutlineCounts {
  readonly ends = new Map<number, number>();
  readonly #limits: ReplyLimits;
  readonly #open: OpenContainer[] = [];
  #values = 0;
  /** Position of the last bracket, comma or quote. */
  #last = 0;

  constructor(limits: ReplyLimits) {
    this.#limits = limits;
  }

  /** Counts one bracket, comma or end of a string; returns the failure if a limit is exceeded. */
  add(code: number, at: number): Failure | undefined {
    const length = at - this.#last;
    this.#last = at;
    if (length > maxTextLength) return overLimit('text', maxTextLength);
    if (isOpening(code)) this.#open.push({ at, entries: 0 });
    else if (isClosing(code)) return this.#close(at);
    else if (code !== comma) return undefined;
    return this.#countValue();
  }

  #close(at: number): undefined {
    const begun = this.#open.pop()?.at ?? at;
    if (at - begun > smallTextLength) this.ends.set(begun, at);
  }

  /** Counts a value at each opening bracket and comma, so an empty container counts one value too many. */
  #countValue(): Failure | undefined {
    const { values, entries } = this.#limits;
    const container = this.#open.at(-1);
    this.#values += 1;
    if (container !== undefined) container.entries += 1;
    if (this.#open.length > maxDepth) return overLimit('depth', maxDepth);
    if (this.#values > values) return overLimit('values', values);
    return container !== undefined && container.entries > entries ? overLimit('entries', entries) : undefined;
  }
}

/** Returns the index of the quote that ends the string at `from`; the last index that was read if the string is too long. */
function stringEnd(text: Uint8Array, from: number): number {
  const stop = Math.min(text.length - 1, from + maxTextLength + 1);
  for (let at = from + 1; at < stop; at += 1) {
    const code = text[at];
    if (code === quote) return at;
    if (code === backslash) at += 1;
  }
  return stop;
}
