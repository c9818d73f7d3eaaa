/** One selector of an expression: a family, its matchers, and the range and the function right around it. */
export interface Selector {
  readonly name: string;
  readonly matchers: readonly string[];
  /** What is between the brackets behind it; `''` where there are none. */
  readonly range: string;
  /** The function whose first argument it is; `''` where there is none. */
  readonly within: string;
}

const selector = /(?:(\w+)\s*\(\s*)?\b([a-zA-Z_:][\w:]*)\{([^}]*)\}(?:\[([^\]]*)\])?/g;
const family = /\b(?:graphdb|graphwarden|process|nodejs)_\w+/g;

/** The selectors of an expression; a family without braces throws, since it would have no matchers. */
export function selectorsOf(expression: string): readonly Selector[] {
  const found = [...expression.matchAll(selector)].map(
    ([, within = '', name = '', inside = '', range = '']): Selector => ({
      name,
      matchers: inside.split(',').map((matcher) => matcher.trim()),
      range,
      within,
    }),
  );
  const named = [...expression.matchAll(family)].length;
  if (named !== found.length) throw new Error(`a family without matchers in ${expression}`);
  return found;
}

/** The labels that a legend names. */
export function legendLabels(legend: string): readonly string[] {
  return [...legend.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(([, label = '']) => label);
}

/** The label that a matcher is about. */
export function labelOf(matcher: string): string {
  return /^\w+/.exec(matcher)?.[0] ?? '';
}
