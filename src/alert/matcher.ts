import { err, ok, type Result } from '../kernel/result.ts';
import { severities } from '../model/alert.ts';

/** Label matcher, as in Alertmanager. An absent label has the empty value. */
export interface Matcher {
  readonly name: string;
  readonly operator: '=' | '!=' | '=~' | '!~';
  /** A text, or after `=~` and `!~` a regular expression for the whole value. */
  readonly value: string;
}

const form = /^\s*([a-zA-Z_][a-zA-Z0-9_]*)\s*(=~|!~|!=|=)\s*(.*?)\s*$/su;
const quoted = /^"((?:[^"\\]|\\["\\n])*)"$/su;
/** Values that need no quotes. A comma would separate matchers. */
const bare = /^[^",{}]*$/u;

const maxExpressionLength = 256;
const maxQuantifiers = 3;
/** Atoms of an expression: characters, escaped characters and classes, but no quantifiers, groups or references. */
const atoms = /\\[dDwWsS]|\\[^\w\s]|\[\^?(?:\\[dDwWsS]|\\[^\w\s]|[^\]\\[])+\]|[^\\[\](){}^$*+?|]/gu;

/** Parses a matcher such as `severity="critical"`. */
export function readMatcher(text: string): Result<Matcher, string> {
  const [, name = '', operator, rawValue = ''] = form.exec(text) ?? [];
  if (!isOperator(operator)) return err('is not a matcher; write it as severity="critical", with =, !=, =~ or !~');
  const value = unquoted(rawValue);
  if (value === undefined) return err('has a value with invalid quotes; write it as severity="critical"');
  const problem = isRegex(operator) ? regexProblem(value) : unknownSeverity(name, value);
  return problem === undefined ? ok({ name, operator, value }) : err(problem);
}

/** Formats a matcher as the text that {@link readMatcher} parses. */
export function formatMatcher({ name, operator, value }: Matcher): string {
  const escaped = value.replace(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`);
  return `${name}${operator}"${escaped}"`;
}

/** Returns whether labels match all matchers; true without matchers. */
export function matches(matchers: readonly Matcher[], labels: Readonly<Record<string, string>>): boolean {
  return matchers.every((matcher) => isMet(matcher, labels[matcher.name] ?? ''));
}

/** Returns whether a label value matches. */
export function isMet(matcher: Matcher, given: string): boolean {
  const { operator, value } = matcher;
  const is = isRegex(operator) ? expressionOf(matcher).test(given) : given === value;
  return is === (operator === '=' || operator === '=~');
}

/** Returns the alternatives of a regular expression, which `|` separates. */
export function regexAlternatives(expression: string): readonly string[] {
  const bars = [...expression.replaceAll(atoms, (atom) => 'a'.repeat(atom.length)).matchAll(/\|/g)].map(
    ({ index }) => index,
  );
  return [...bars, expression.length].map((end, at) => expression.slice(at === 0 ? 0 : (bars[at - 1] ?? 0) + 1, end));
}

function isOperator(text: string | undefined): text is Matcher['operator'] {
  return text !== undefined;
}

function isRegex(operator: Matcher['operator']): boolean {
  return operator === '=~' || operator === '!~';
}

function unquoted(text: string): string | undefined {
  const inside = quoted.exec(text)?.[1];
  if (inside === undefined) return bare.test(text) ? text : undefined;
  return inside.replace(/\\(["\\n])/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped));
}

function unknownSeverity(name: string, value: string): string | undefined {
  const known: readonly string[] = severities;
  return name !== 'severity' || known.includes(value) ? undefined : `is not a severity; use ${known.join(', ')}`;
}

/**
 * Returns why an expression is rejected. Groups and many repetitions are not allowed, so that the number of steps is
 * bounded by the length of a label to the power of the repetitions of one alternative.
 */
function regexProblem(expression: string): string | undefined {
  if (expression.length > maxExpressionLength)
    return `has a regular expression of more than ${maxExpressionLength} characters`;
  for (const alternative of expression.replaceAll(atoms, 'a').split('|')) {
    if (!/^(?:a[*+?]?)*$/.test(alternative))
      return String.raw`has a regular expression that is not supported; it may contain . [abc] \d \w \s * + ? and | between alternatives, but no groups`;
    if (alternative.replaceAll('a', '').length > maxQuantifiers)
      return `has a regular expression with more than ${maxQuantifiers} repetitions in one alternative`;
  }
  return isValidRegex(expression)
    ? undefined
    : 'has an invalid regular expression, for example a range in reverse order';
}

function isValidRegex(expression: string): boolean {
  try {
    return new RegExp(expression, 'su').source !== '';
  } catch {
    return false;
  }
}

const compiled = new WeakMap<Matcher, RegExp>();

function expressionOf(matcher: Matcher): RegExp {
  const known = compiled.get(matcher) ?? new RegExp(`^(?:${matcher.value})$`, 'su');
  compiled.set(matcher, known);
  return known;
}
