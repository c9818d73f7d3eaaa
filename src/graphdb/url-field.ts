import { z } from 'zod';

/**
 * An http or https address without user, query and fragment: text in, the address without a slash at the end
 * out. What was given is never repeated in a message, since people do write passwords into addresses.
 */
export function urlField(example: string) {
  return z
    .string()
    .transform((text, context) => {
      const url = URL.parse(text);
      const message = complaint(text, url);
      if (url !== null && message === undefined) return url.origin + url.pathname.replace(/\/+$/, '');
      context.issues.push({ code: 'custom', message, input: '', params: { hint: `for example ${example}` } });
      return z.NEVER;
    })
    .meta({ title: 'URL', examples: [example] });
}

function complaint(text: string, url: URL | null): string | undefined {
  if (!/^\s*https?:\/\//i.test(text)) return 'must be an address that begins with http:// or https://';
  if (url === null) return 'is no address: its host or its port (1 to 65535) cannot be one';
  if (url.username !== '' || url.password !== '') return 'must not hold a user or a password';
  return /[?#]/.test(text) ? 'must not have a query or a fragment' : undefined;
}
