import { type SampleValues, SampleValueWriter } from '../model/exposition.ts';
import type { RenderedLines } from './lines.ts';

/** Number texts of samples. They are compared with the lines on the page, and copied only from the first difference on. */
export class ChangedValues {
  readonly #lines: RenderedLines<unknown> | undefined;
  #length = 0;
  /** Absent while nothing differs. */
  #writer: SampleValueWriter | undefined;

  constructor(lines: RenderedLines<unknown> | undefined) {
    this.#lines = lines;
  }

  /** Adds the value of the next line. */
  add(text: string): void {
    if (this.#writer === undefined && this.#lines !== undefined && hasValue(this.#lines, this.#length, text)) {
      this.#length += 1;
      return;
    }
    this.#startWriting().add(text);
  }

  /** Whether every line on the page still has its value. */
  get areUnchanged(): boolean {
    return this.#writer === undefined && this.#length === this.#lines?.keys.length;
  }

  /** Returns all values. */
  finish(): SampleValues {
    return this.#startWriting().finish();
  }

  #startWriting(): SampleValueWriter {
    if (this.#writer !== undefined) return this.#writer;
    const writer = new SampleValueWriter(Math.max(this.#length, this.#lines?.keys.length ?? 0));
    this.#writer = writer;
    if (this.#lines === undefined) return writer;
    const { bytes, offsets } = this.#lines;
    for (let at = 0; at < this.#length; at += 1)
      writer.copy(bytes, offsets[2 * at + 1] ?? 0, (offsets[2 * at + 2] ?? 0) - 1);
    return writer;
  }
}

/** Returns whether a line has a value; its last byte is the line feed. */
function hasValue({ bytes, offsets, keys }: RenderedLines<unknown>, at: number, text: string): boolean {
  if (at >= keys.length) return false;
  const from = offsets[2 * at + 1] ?? 0;
  if ((offsets[2 * at + 2] ?? 0) - 1 - from !== text.length) return false;
  for (let next = 0; next < text.length; next += 1) if (bytes[from + next] !== text.charCodeAt(next)) return false;
  return true;
}
