import { escapeHtml } from '../../kernel/visible-text.ts';

/** A complete HTML document, without scripts and external resources. */
export interface Document {
  readonly title: string;
  readonly body: readonly Html[];
}

/** The text of a page. */
export function documentOf({ title, body }: Document): string {
  // The style is a constant of this file, and its quotes must not be escaped.
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>${new Html(style)}</style></head><body>
${body}
</body></html>
`;
  return page.toString();
}

/** HTML that is safe to send: the result of {@link html}, or a constant of this program. */
export class Html {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** Value that a template may contain: texts and numbers are escaped, HTML and lists of HTML are not. */
export type Piece = string | number | Html | readonly Html[];

/** HTML template that escapes each inserted text, so that text of a server or a user cannot add markup. */
export function html(literals: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  return new Html(String.raw({ raw: literals }, ...pieces.map(safe)));
}

function safe(piece: Piece): string {
  if (piece instanceof Html) return piece.toString();
  return typeof piece === 'object' ? piece.join('') : escapeHtml(String(piece));
}

/** Style of the reference: light and dark, on a phone and on a wide screen. */
const style = `
:root{color-scheme:light dark;--soft:light-dark(#5f6368,#9aa0a6);--line:light-dark(#dadce0,#3c4043)}
*{box-sizing:border-box}
body{font:16px/1.5 system-ui,sans-serif;max-width:68rem;margin:0 auto;padding:1rem;overflow-wrap:anywhere}
h1{font-size:1.25rem;margin:0}h2{font-size:1.15rem;margin:1.5rem 0 .5rem}
header{display:flex;flex-wrap:wrap;gap:.25rem 1rem;align-items:baseline;margin-bottom:1rem}header p{margin:0;color:var(--soft)}
code{font-size:.95em}table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.35rem .5rem;border-bottom:1px solid var(--line);overflow-wrap:break-word}
@media(max-width:40rem){thead{display:none}tr{display:block;border-bottom:1px solid var(--line)}td{display:block;border:0;padding:.1rem 0}}
`;
