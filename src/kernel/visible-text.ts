/** Characters that a reader does not see and that a terminal or a browser obeys, also those that reverse a text. */
const invisible = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu;

/** Text as one line: a blank for each run of invisible characters. Text of a server must not control a terminal. */
export function replaceControlCharacters(text: string): string {
  return text.replace(invisible, ' ');
}

/** Text with a blank for each run of characters that reverse its direction. Other invisible characters remain. */
export function replaceReversing(text: string): string {
  return text.replace(/\p{Bidi_Control}+/gu, ' ');
}

/** Text of several lines, each without invisible characters. */
export function printableLines(text: string): string {
  return text.split('\n').map(replaceControlCharacters).join('\n');
}

/** JSON with invisible characters as escapes, which keeps its value. Line feeds and colors of a printer remain. */
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

/** Text for HTML, also in an attribute. Invisible characters have no place in HTML, not even escaped. */
export function escapeHtml(text: string): string {
  return replaceControlCharacters(text).replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
