import type { Files } from './system.ts';

/** Authentication scheme before a credential in a header. */
const scheme = /^(?:bearer|basic|token|apikey) /i;

/**
 * Texts that look like a secret: an address, a PEM text or any text of several lines, hexadecimal digits, and 20 or more
 * characters without a separator, in lower case with digits, or in mixed case with digits.
 */
const secretPatterns: readonly RegExp[] = [
  /^[a-z][a-z0-9+.-]*:\/\//i,
  /[\r\n]|-----BEGIN /,
  /^[0-9a-f]{32,}$/i,
  /^(?=.*[a-z])(?=.*\d)[a-z0-9]{20,}$/,
  /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[\w.~+/=:%-]{20,}$/,
];

/** Whether a text, such as the value of a configuration key that names a file, looks like a secret. */
export function looksLikeSecret(text: string): boolean {
  return scheme.test(text) || secretPatterns.some((pattern) => pattern.test(text));
}

/** Returns a path for messages. The part that does not exist is hidden if it looks like a secret. */
export async function printablePath(path: string, files: Pick<Files, 'presence'>): Promise<string> {
  const names = path.split('/');
  let known = names.length;
  while (known > 0 && (await files.presence(names.slice(0, known).join('/') || '/')) !== 'present') known -= 1;
  return looksLikeSecret(names.slice(known).join('/')) ? [...names.slice(0, known), '…'].join('/') : path;
}

/** Note after a path whose end is hidden. */
export const hiddenNameNote = '(the name is hidden, because it looks like a secret)';
