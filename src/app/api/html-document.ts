import { replaceControlCharacters } from '../../kernel/visible-text.ts';
/** A whole page. It loads nothing and runs nothing, so it works where nothing else does. */
export interface Document {
  readonly title: string;
  readonly body: readonly Html[];
  /** Seconds after which the browser asks again; absent: never. */
  readonly refresh?: number;
}

/** The text of a page. */
export function documentOf({ title, body, refresh }: Document): string {
  const again = refresh === undefined ? [] : [html`<meta http-equiv="refresh" content="${refresh}">`];
  // The style is ours, and quotes in it must stay what they are.
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${again}
<title>${title}</title><style>${new Html(style)}</style></head><body>
${body}
</body></html>
`;
  return page.toString();
}

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

/** HTML template that escapes each inserted text, so that text of a server or a user cannot add markup. */
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
  return replaceControlCharacters(text).replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** The look of our pages: by day and by night, on a telephone and on a wall. */
const style = `
:root{color-scheme:light dark;--bad:light-dark(#b3261e,#ff8a80);--warning:light-dark(#8a5300,#ffb74d);
--good:light-dark(#1b6e3a,#81c995);--blue:light-dark(#1a56b0,#8ab4f8);--yellow:light-dark(#7a6000,#fdd663);--orange:light-dark(#a84300,#ff9e57);
--soft:light-dark(#5f6368,#9aa0a6);--line:light-dark(#dadce0,#3c4043)}
*{box-sizing:border-box}
body{font:16px/1.5 system-ui,sans-serif;max-width:68rem;margin:0 auto;padding:1rem;overflow-wrap:anywhere}
h1{font-size:1.25rem;margin:0}h2{font-size:1.15rem;margin:1.5rem 0 .5rem}section h2{margin-top:0}
header{display:flex;flex-wrap:wrap;gap:.25rem 1rem;align-items:baseline;margin-bottom:1rem}
header p,footer p{margin:0;color:var(--soft)}footer p{margin-top:.5rem}
section{border:1px solid var(--line);border-left:.35rem solid var(--line);border-radius:.4rem;padding:.75rem 1rem;margin:0 0 1rem}
section.bad{border-left-color:var(--bad)}section.warning{border-left-color:var(--warning)}section.good{border-left-color:var(--good)}
dl{display:grid;grid-template-columns:6.5rem 1fr;gap:.35rem 1rem;margin:0}dt{color:var(--soft)}dd{margin:0}
ul{margin:0;padding:0;list-style:none}li{padding-left:1.3em;text-indent:-1.3em}
li::before{content:"\\00b7";display:inline-block;width:1.3em;text-indent:0;text-align:center;color:var(--soft)}
li.bad::before{content:"\\2717"}li.warning::before{content:"!"}li.good::before{content:"\\2713"}
li.bad,li.bad::before,.verdict.bad{color:var(--bad)}li.warning,li.warning::before,.verdict.warning{color:var(--warning)}
li.good::before,.verdict.good{color:var(--good)}li.bad::before,li.warning::before,.verdict{font-weight:600}
li.blue,li.blue::before{color:var(--blue)}li.yellow,li.yellow::before{color:var(--yellow)}li.orange,li.orange::before{color:var(--orange)}
li.grey,li.grey::before{color:var(--soft)}
small{font-weight:400;color:var(--soft)}.hint{display:block;text-indent:0;color:var(--soft)}
.notice{border:2px dashed var(--warning);border-radius:.4rem;padding:.5rem 1rem;margin:0 0 1rem;font-weight:600}
code{font-size:.95em}nav ul{columns:22rem 2}table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.35rem .5rem;border-bottom:1px solid var(--line);overflow-wrap:break-word}
@media(max-width:40rem){dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.5rem}
thead{display:none}tr{display:block;border-bottom:1px solid var(--line)}td{display:block;border:0;padding:.1rem 0}}
`;
