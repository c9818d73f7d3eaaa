import type { HttpReply } from '../../kernel/http.ts';
import { oneLine, shorten } from './texts.ts';

/** The beginning of an answer as one line for a message; pages for browsers say nothing that would help. */
export function excerpt(reply: HttpReply, hidden: readonly string[]): string {
  return isPage(reply) ? '' : shorten(oneLine(redact(textOf(reply), hidden)), 200);
}

/** Somebody else answers there: a proxy's login, a portal. */
export function isPage({ headers }: HttpReply): boolean {
  return /^text\/html\b/i.test(headers['content-type'] ?? '');
}

/** What of an address may be as good as a password: path and query, and each longer part of these. */
export function pathParts(url: string): readonly string[] {
  const { pathname, search, searchParams } = new URL(url);
  const parts = [pathname, search, ...pathname.split('/'), ...search.split(/[?&=]/), ...searchParams.values()];
  return [...new Set(parts)].filter((part) => part.length >= 8);
}

/** The body as text. */
export function textOf({ body }: HttpReply): string {
  return new TextDecoder().decode(body.subarray(0, 65_536));
}

function redact(text: string, hidden: readonly string[]): string {
  return hidden.filter((secret) => secret !== '').reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text);
}
