import { replaceReversing } from '../../src/kernel/visible-text.ts';

/**
 * Parses an answer of the API without characters that reverse a text: text of a server must not forge what the page shows. The
 * JSON of the daemon contains them unescaped.
 */
export function parseAnswer(text: string): unknown {
  return JSON.parse(replaceReversing(text));
}
