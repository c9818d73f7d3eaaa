import type { Reply } from '../replies.ts';
import type { Told } from './letter.ts';

/** What a healthy receiver makes of a letter. */
export interface Taking {
  readonly reply: Reply;
  /** What of it is kept: nothing where it is refused whole. */
  readonly kept: readonly Told[];
}

/** One kind of receiver, as the real one behaves. */
export interface Kind {
  /** The path of the address that a sender is configured with. */
  readonly address: string;
  /** The path that letters are posted to. */
  readonly path: string;
  /** Reads a letter; `now` is wall time. */
  take(body: string, now: number): Taking;
}

/** The text of a member that may be anything, for what is shown alone. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** The JSON of a body; undefined where it is none. */
export function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
