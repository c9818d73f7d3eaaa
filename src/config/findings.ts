import type { z } from 'zod';
import type { Finding, KeyPath } from '../model/problem.ts';
import { isPresentable } from './key-path.ts';
import { type Shape, shapeAt } from './shape.ts';
import { nearest } from './suggest.ts';

type Issue = z.core.$ZodIssue;

/** What the findings are drawn from: the value as given, its schema, and hints for keys that are known elsewhere. */
export interface Given {
  readonly value: unknown;
  readonly shape: Shape;
  /** Keys that mean something, but not here: what to say about them. */
  readonly known?: Readonly<Record<string, string>>;
}

/** Says in our own words, free of configured values, what a schema complains about. */
export function findingsOf(issues: readonly Issue[], given: Given): readonly Finding[] {
  return issues.flatMap((issue) => explain(issue, given));
}

function explain(issue: Issue, given: Given): readonly Finding[] {
  const path = issue.path.filter((step) => typeof step !== 'symbol');
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownKey(path, key, given));
    case 'invalid_type':
      return [wrongType(path, issue.expected, given)];
    case 'invalid_value':
      return [notOneOf(path, issue.values.map(String), given)];
    case 'too_small':
      return [{ path, message: bound('at least', issue.minimum, issue.origin) }];
    case 'too_big':
      return [{ path, message: bound('at most', issue.maximum, issue.origin) }];
    case 'invalid_key':
      return [{ path, message: issue.issues[0]?.message ?? 'is not a valid key', aboutKey: true }];
    case 'custom':
    case 'invalid_union':
    case 'invalid_format':
    case 'invalid_element':
    case 'not_multiple_of':
      break;
  }
  // Texts of our own schemas: the library's are replaced wherever these can come up.
  return [{ path, message: issue.message, ...hintOf(issue) }];
}

/** A key is repeated only where it looks like one: it might be a secret that slipped into the wrong place. */
function unknownKey(path: KeyPath, key: string, { shape, known = {} }: Given): Finding {
  const allowed = Object.keys(shapeAt(shape, path)?.properties ?? {});
  const meant = nearest(key, allowed);
  const elsewhere = path.length === 0 && Object.hasOwn(known, key) ? known[key] : undefined;
  const hint = elsewhere ?? (meant === undefined ? `known here: ${allowed.join(', ')}` : `did you mean \`${meant}\`?`);
  const message = isPresentable(key) ? `unknown key \`${key}\`` : 'unknown key';
  return { path: [...path, key], message, hint, aboutKey: true };
}

/** What the schema expects, in the words of somebody who writes YAML. */
const nouns: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping of keys to values',
  record: 'a mapping of keys to values',
};

function wrongType(path: KeyPath, expected: string, { value, shape }: Given): Finding {
  const found = valueAt(value, path);
  const example = exampleAt(shape, path);
  const hint = example === undefined ? {} : { hint: `for example ${example}` };
  if (found === undefined) return { path, message: 'is required', ...hint };
  if (found === null) return { path, message: 'is empty: give it a value, or remove the key', ...hint };
  const message = `must be ${nouns[expected] ?? expected}`;
  const isBare = expected === 'string' && (typeof found === 'number' || typeof found === 'boolean');
  return { path, message, ...(isBare && example === undefined ? { hint: 'put it in quotes' } : hint) };
}

function notOneOf(path: KeyPath, values: readonly string[], { value }: Given): Finding {
  const found = valueAt(value, path);
  const words = values.filter((word) => word !== '').join(', ');
  const message = found === undefined ? 'is required' : `must be one of ${words}`;
  const meant = typeof found === 'string' ? nearest(found, values) : undefined;
  return { path, message, ...(meant === undefined ? {} : { hint: `did you mean \`${meant}\`?` }) };
}

function bound(side: string, limit: number | bigint, origin: string): string {
  if (origin === 'array') return `needs ${side} ${limit} ${Number(limit) === 1 ? 'entry' : 'entries'}`;
  if (origin !== 'string') return `must be ${side} ${limit}`;
  return Number(limit) === 1 && side === 'at least' ? 'must not be empty' : `must have ${side} ${limit} characters`;
}

function hintOf(issue: Issue): { readonly hint?: string } {
  const hint: unknown = issue.code === 'custom' ? issue.params?.hint : undefined;
  return typeof hint === 'string' ? { hint } : {};
}

/** A line that could be written at `path`, from the schema's examples or else its default. */
function exampleAt(shape: Shape, path: KeyPath): string | undefined {
  const at = shapeAt(shape, path);
  const example = at?.examples?.[0] ?? at?.default;
  const key = path.findLast((step) => typeof step === 'string');
  const isPlain = typeof example === 'string' || typeof example === 'number' || typeof example === 'boolean';
  if (!isPlain || key === undefined) return undefined;
  // Quotes for whatever YAML might read as something else, on its own or inside braces.
  const isText = typeof example === 'string' && (!/^[\w./:-]*$/.test(example) || Number.isFinite(Number(example)));
  return `\`${key}: ${isText ? JSON.stringify(example) : String(example)}\``;
}

/** Own properties only: `toString` was not given by anybody. */
function valueAt(value: unknown, path: KeyPath): unknown {
  return path.reduce<unknown>((at, step) => {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined;
    return Object.getOwnPropertyDescriptor(at, step)?.value;
  }, value);
}
