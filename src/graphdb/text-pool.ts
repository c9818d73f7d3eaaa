/** V8 copies slices up to this length, and lets longer ones refer to the text they were cut from. */
const longestCopied = 12;

/** The most texts that are kept. */
const most = 10_000;

/** Keeps one copy of each text that outlives the page it was cut from. */
export class TextPool {
  readonly #texts = new Map<string, string>();

  /** A copy that does not keep the page alive; the same one for the same text. */
  own(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    if (this.#texts.size >= most) this.#texts.clear();
    const copy = detach(text);
    this.#texts.set(copy, copy);
    return copy;
  }

  /** Shares short texts, which would be copied; a long one may go on referring to what it was cut from. */
  short(text: string): string {
    return text.length <= longestCopied ? this.own(text) : text;
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** A copy of well-formed text: a slice of 90 characters would keep the 64 KiB alive that it was cut from. */
export function detach(text: string): string {
  return decoder.decode(encoder.encode(text));
}
