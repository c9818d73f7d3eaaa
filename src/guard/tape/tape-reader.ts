import { z } from 'zod';
import type { FileLine } from '../../kernel/line-files.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Millis } from '../../kernel/time.ts';
import { eventLine, headerLine, type TapeEvent, type TapeHeader, tapeFormat, tapeVersion } from './format.ts';

/** What a line of a recording says. */
export type TapeItem =
  | { readonly kind: 'header'; readonly header: TapeHeader }
  | { readonly kind: 'event'; readonly event: TapeEvent };

const anyHeader = z.looseObject({ format: z.literal(tapeFormat), version: z.union([z.number(), z.string().max(20)]) });

/** Reads a recording line by line, and keeps none of them. Errors name the line, and repeat nothing of it. */
export class TapeReader {
  #header: TapeHeader | undefined;
  #line = 0;
  #last: Millis = Number.NEGATIVE_INFINITY;

  /** The next line. After an error there is no next one. */
  take({ text, isWhole }: FileLine): Result<TapeItem, string> {
    this.#line += 1;
    if (!isWhole)
      return this.#wrong(
        'is cut off, since the recording ended while it was written: the rest can be replayed without it',
      );
    const json = parsed(text);
    if (json === undefined) return this.#wrong('is no JSON object');
    return this.#header === undefined ? this.#first(json) : this.#next(json, this.#header);
  }

  #first(json: unknown): Result<TapeItem, string> {
    const any = anyHeader.safeParse(json);
    if (!any.success) return this.#wrong(`does not begin a ${tapeFormat}`);
    if (any.data.version !== tapeVersion) {
      return this.#wrong(`is of a recording of version ${any.data.version}: this program reads version ${tapeVersion}`);
    }
    const read = headerLine.safeParse(json);
    if (!read.success) return this.#wrong(`is no header of a recording${placeOf(read.error)}`);
    this.#header = read.data;
    return ok({ kind: 'header', header: read.data });
  }

  #next(json: unknown, header: TapeHeader): Result<TapeItem, string> {
    const read = eventLine.safeParse(json);
    if (!read.success) return this.#wrong(`is no event of a recording${placeOf(read.error)}`);
    const event = read.data;
    if ('node' in event && !header.nodes.includes(event.node)) return this.#wrong('is of a node that the header lacks');
    if (event.at.mono < this.#last) return this.#wrong('is out of order: it is older than the line before');
    if (event.event === 'listed' && event.started.mono > event.at.mono) return this.#wrong('ends before it begins');
    if (!toldAll(event, header)) return this.#wrong('does not tell of each clause of the header');
    this.#last = event.at.mono;
    return ok({ kind: 'event', event });
  }

  #wrong(what: string): Result<never, string> {
    return err(`line ${this.#line} ${what}`);
  }
}

function parsed(text: string): object | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null ? json : undefined;
  } catch {
    return undefined;
  }
}

/** Where it is wrong, by places and by names that are the format's own. */
function placeOf({ issues }: z.ZodError): string {
  const [path = []] = issues.map((issue) => issue.path.map(String).filter((part) => /^\w{1,20}$/.test(part)));
  return path.length === 0 ? '' : ` (at ${path.join('.')})`;
}

function toldAll(event: TapeEvent, { clauses }: TapeHeader): boolean {
  if (event.event !== 'listed' || !('entries' in event.list)) return true;
  return event.list.entries.every((entry) => {
    if ('odd' in entry || !entry.query.startsWith('/')) return true;
    return (entry.told ?? '').length === clauses.length;
  });
}
