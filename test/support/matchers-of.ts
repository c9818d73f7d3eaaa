import { type Matcher, readMatcher } from '../../src/alert/matcher.ts';

/** Parses matchers such as `node="m1"`. */
export function matchersOf(...texts: readonly string[]): readonly Matcher[] {
  return texts.map((text) => {
    const matcher = readMatcher(text);
    if (!matcher.ok) throw new Error(`${text} ${matcher.error}`);
    return matcher.value;
  });
}
