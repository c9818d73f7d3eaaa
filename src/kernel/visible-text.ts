/** Control characters, line separators and controls of the text direction: invisible, but terminals and browsers obey them. */
const invisible = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu;

/** Replaces each run of invisible characters by a blank: text of a server must not control a terminal. */
export function replaceControlCharacters(text: string): string {
  return text.replace(invisible, ' ');
}

/** Replaces each run of characters that change the text direction by a blank. Other invisible characters remain. */
export function replaceReversing(text: string): string {
  return text.replace(/\p{Bidi_Control}+/gu, ' ');
}

/** Replaces the invisible characters of a text by blanks, except for line feeds. */
export function printableLines(text: string): string {
  return text.split('\n').map(replaceControlCharacters).join('\n');
}

/** Escapes invisible characters in JSON text, which keeps its value. Line feeds and the escape codes of colors remain. */
export function escapeInvisible(text: string): string {
  return text.replace(/[\u007f-\u009f\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML content and attributes. Invisible characters become blanks, because HTML forbids control characters. */
export function escapeHtml(text: string): string {
  return replaceControlCharacters(text).replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
