/** HTML that is safe to send: made by {@link html}, or a constant of ours. */
export class Html {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** What a template may hold: texts and numbers are escaped, HTML and lists of it are not. */
export type Piece = string | number | Html | readonly Html[];

/** A template of HTML: whatever is put into it is text, whoever wrote it. */
export function html(literals: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  return new Html(String.raw({ raw: literals }, ...pieces.map(safe)));
}

function safe(piece: Piece): string {
  if (piece instanceof Html) return piece.toString();
  return typeof piece === 'object' ? piece.join('') : escaped(String(piece));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Control characters have no place in HTML, not even escaped. */
function escaped(text: string): string {
  const visible = text.replace(/\p{Cc}+/gu, ' ');
  return visible.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
