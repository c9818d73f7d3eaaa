import { Buffer } from 'node:buffer';
import { type Family, header } from './family.ts';
import type { Fragment } from './fragment.ts';
import type { Format } from './page.ts';

/** Fragments of this size stay as they are; what is shorter is joined with its neighbours. */
export const longFragment = 8192;

/** Joined neighbours are not much longer than this. */
const longRun = 262_144;

/** A family with the lines that are shown of it. */
export interface ShownFamily {
  readonly family: Family;
  readonly parts: readonly ShownPart[];
}

/** The lines that are shown of a fragment; where that is all of them, its own bytes. */
export interface ShownPart {
  readonly fragment: Fragment;
  readonly bytes: Uint8Array;
  /** The same with exemplars; left out with any line, since a repeat shows that something is wrong anyhow. */
  readonly annotated?: Uint8Array;
  readonly series: number;
}

/**
 * Decides what is shown of a family, given its fragments by rank. The first gives the type; fragments of another
 * type are left out, and so are lines that an earlier fragment has.
 */
export function shownFamily(fragments: readonly Fragment[]): ShownFamily | undefined {
  const first = fragments[0];
  if (first === undefined) return undefined;
  const agreeing = fragments.filter(({ family }) => family.type === first.family.type);
  const perBase = Map.groupBy(agreeing, ({ base }) => base);
  const seen = new Map([...perBase].map(([base, same]) => [base, same.length > 1 ? new Set<string>() : undefined]));
  return { family: first.family, parts: agreeing.map((one) => unseen(one, seen.get(one.base))) };
}

/** How many series are shown of one fragment of a family: only those of its own base can have them already. */
export function shownSeries(fragments: readonly Fragment[], fragment: Fragment): number {
  const type = fragments[0]?.family.type;
  const beside = fragments.filter(({ base, family }) => base === fragment.base && family.type === type);
  return shownFamily(beside)?.parts.find((one) => one.fragment === fragment)?.series ?? 0;
}

function whole(fragment: Fragment): ShownPart {
  const { lines, annotated } = fragment;
  return { fragment, bytes: lines.bytes, ...(annotated && { annotated }), series: lines.keys.length };
}

/** Without a set there is nothing to compare with: lines of different bases differ. */
function unseen(fragment: Fragment, seen: Set<string> | undefined): ShownPart {
  if (seen === undefined) return whole(fragment);
  const { bytes, keys, starts, values } = fragment.lines;
  const lines: Uint8Array[] = [];
  for (let at = 0; at < keys.length; at += 1) {
    const prefix = new TextDecoder().decode(bytes.subarray(starts[at], values[at]));
    if (!seen.has(prefix)) lines.push(bytes.subarray(starts[at], starts[at + 1]));
    seen.add(prefix);
  }
  return lines.length === keys.length
    ? whole(fragment)
    : { fragment, bytes: Buffer.concat(lines), series: lines.length };
}

/**
 * The stable part of the page in pieces. Long fragments are pieces of their own: both formats share those without
 * exemplars, and what was deflated of them when they arrived.
 */
export function assemble(families: readonly ShownFamily[], format: Format): readonly Uint8Array[] {
  const names = new Set(families.map(({ family }) => family.name));
  const pieces = new Pieces();
  for (const { family, parts } of families) {
    pieces.add(Buffer.from(header(family, format, (name) => names.has(name))));
    for (const { bytes, annotated = bytes } of parts) pieces.add(format === 'openmetrics' ? annotated : bytes);
  }
  return pieces.done();
}

class Pieces {
  readonly #pieces: Uint8Array[] = [];
  #run: Uint8Array[] = [];
  #length = 0;

  add(bytes: Uint8Array): void {
    if (bytes.length >= longFragment || this.#length > longRun) this.#endRun();
    if (bytes.length >= longFragment) this.#pieces.push(bytes);
    else {
      this.#run.push(bytes);
      this.#length += bytes.length;
    }
  }

  done(): readonly Uint8Array[] {
    this.#endRun();
    return this.#pieces;
  }

  #endRun(): void {
    if (this.#run.length > 0) this.#pieces.push(Buffer.concat(this.#run));
    this.#run = [];
    this.#length = 0;
  }
}
