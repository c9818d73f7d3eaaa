import { Html, html } from './html.ts';
import { style } from './style.ts';

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
