import { err, ok, type Result } from '../kernel/result.ts';
import { severities } from '../model/alert.ts';

/** What a label has to be, in the words of Alertmanager. A label that is absent has the empty value. */
export interface Matcher {
  readonly name: string;
  readonly operator: '=' | '!=' | '=~' | '!~';
  /** A text, or after `=~` and `!~` a regular expression for the whole value. */
  readonly value: string;
}

const form = /^\s*([a-zA-Z_][a-zA-Z0-9_]*)\s*(=~|!~|!=|=)\s*(.*?)\s*$/su;
const quoted = /^"((?:[^"\\]|\\["\\n])*)"$/su;
/** Where a text needs no quotes. A comma would begin another matcher. */
const bare = /^[^",{}]*$/u;

const longestExpression = 256;
const mostQuantifiers = 3;
/** A character, an escaped one, or a class; what could repeat or refer to a part of the expression is none of them. */
const atoms = /\\[dDwWsS]|\\[^\w\s]|\[\^?(?:\\[dDwWsS]|\\[^\w\s]|[^\]\\[])+\]|[^\\[\](){}^$*+?|]/gu;

/** Reads a matcher such as `severity="critical"`. */
export function readMatcher(text: string): Result<Matcher, string> {
  const [, name = '', operator, written = ''] = form.exec(text) ?? [];
  if (!isOperator(operator)) return err('is no matcher: write it as severity="critical", with =, !=, =~ or !~');
  const value = unquoted(written);
  if (value === undefined) return err('has a value that is not well quoted: write it as severity="critical"');
  const trouble = isRegex(operator) ? troubleWith(value) : unknownSeverity(name, value);
  return trouble === undefined ? ok({ name, operator, value }) : err(trouble);
}

/** The text that {@link readMatcher} reads as this matcher. */
export function formatMatcher({ name, operator, value }: Matcher): string {
  const escaped = value.replace(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`);
  return `${name}${operator}"${escaped}"`;
}

/** Whether labels are as all of these want them; none of them want anything where there are none. */
export function matches(matchers: readonly Matcher[], labels: Readonly<Record<string, string>>): boolean {
  return matchers.every((matcher) => isMet(matcher, labels[matcher.name] ?? ''));
}

/** Whether a label with this value is as the matcher wants it. */
export function isMet(matcher: Matcher, given: string): boolean {
  const { operator, value } = matcher;
  const is = isRegex(operator) ? expressionOf(matcher).test(given) : given === value;
  return is === (operator === '=' || operator === '=~');
}

/** Alternatives of a regular expression for a label value, separated by `|`. */
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
  return name !== 'severity' || known.includes(value) ? undefined : `is no severity: write ${known.join(', ')}`;
}

/**
 * Without groups, and with few repetitions, no value takes the engine long: the steps are bounded by the length of a
 * label to the power of the repetitions of one alternative.
 */
function troubleWith(expression: string): string | undefined {
  if (expression.length > longestExpression) return `has an expression of more than ${longestExpression} characters`;
  for (const alternative of expression.replaceAll(atoms, 'a').split('|')) {
    if (!/^(?:a[*+?]?)*$/.test(alternative))
      return String.raw`has an expression of which something is not supported: it may have . [abc] \d \w \s * + ? and | between alternatives, and no groups`;
    if (alternative.replaceAll('a', '').length > mostQuantifiers)
      return `has an expression with more than ${mostQuantifiers} repetitions in one alternative`;
  }
  return isReadable(expression) ? undefined : 'has an expression that is wrong: perhaps a range goes backwards';
}

function isReadable(expression: string): boolean {
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
