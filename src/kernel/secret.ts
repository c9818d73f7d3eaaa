/**
 * Value that must not be displayed. Printing, JSON and `util.inspect` return `[secret]`; only {@link Secret.reveal}
 * returns the text, when a header is built.
 */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the text. Call it only where a header or a handshake needs it, and do not store the result. */
  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return '[secret]';
  }

  toJSON(): string {
    return '[secret]';
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return '[secret]';
  }
}

/** Source of a secret: a file is read again when it changes and after a 401. */
export type SecretSource = { readonly file: string } | { readonly value: Secret };
