/**
 * A value that must not be seen. Printing, JSON and `util.inspect` all give `[secret]`; only
 * {@link Secret.reveal}, greppable, gives the text, at the moment a header is built.
 */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The text itself. Call it where a header or a handshake needs it, and keep the result nowhere. */
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

/** Where a secret comes from: a file is read again when it changes and after a 401. */
export type SecretSource = { readonly file: string } | { readonly value: Secret };
