import type { z } from 'zod';
import type { KeyPath, UnlocatedProblem } from '../model/config-problem.ts';
import { type JsonSchema, schemaAt } from './json-schema.ts';
import { isSafeToShow } from './key-path.ts';
import { closestMatch, withHint } from './name-suggestions.ts';

type Issue = z.core.$ZodIssue;

/** Raw value, its schema, and hints for keys that are known elsewhere. */
export interface IssueContext {
  readonly value: unknown;
  readonly schema: JsonSchema;
  /** Hints for keys that are valid in other formats. */
  readonly known?: Readonly<Record<string, string>>;
  /** New name of a renamed key at a path. */
  readonly renamed?: (path: KeyPath) => string | undefined;
}

/** Converts the issues of a schema into findings without configured values. */
export function findingsFromIssues(issues: readonly Issue[], given: IssueContext): readonly UnlocatedProblem[] {
  return issues.flatMap((issue) => findingsFromIssue(issue, given));
}

function findingsFromIssue(issue: Issue, given: IssueContext): readonly UnlocatedProblem[] {
  const path = issue.path.filter((step) => typeof step !== 'symbol');
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownKey(path, key, given));
    case 'invalid_type':
      return [wrongType(path, issue.expected, given)];
    case 'invalid_value':
      return [notOneOf(path, issue.values.map(String), given)];
    case 'too_small':
      return [{ path, message: boundMessage('at least', issue.minimum, issue.origin) }];
    case 'too_big':
      return [{ path, message: boundMessage('at most', issue.maximum, issue.origin) }];
    case 'invalid_key':
      return [{ path, message: issue.issues[0]?.message ?? 'is not a valid key', isAboutKey: true }];
    case 'custom':
    case 'invalid_union':
    case 'invalid_format':
    case 'invalid_element':
    case 'not_multiple_of':
      break;
  }
  // Messages of our own schemas, which replace those of the library for these codes.
  return [{ path, message: issue.message, ...hintOf(issue) }];
}

/** Finding for an unknown key. The key is printed only if it looks like a key: it could be a misplaced secret. */
function unknownKey(path: KeyPath, key: string, { schema, known = {}, renamed }: IssueContext): UnlocatedProblem {
  const message = isSafeToShow(key) ? `unknown key \`${key}\`` : 'unknown key';
  return withHint({ path: [...path, key], message, isAboutKey: true }, () => {
    if (path.length === 0 && Object.hasOwn(known, key)) return known[key];
    const allowed = Object.keys(schemaAt(schema, path)?.properties ?? {});
    const meant = renamed?.([...path, key]) ?? closestMatch(key, allowed);
    if (meant !== undefined) return `did you mean \`${meant}\`?`;
    return allowed.length === 0 ? 'remove it' : `known here: ${allowed.join(', ')}`;
  });
}

/** Expected types in YAML terms. */
const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping of keys to values',
  record: 'a mapping of keys to values',
};

function wrongType(path: KeyPath, expected: string, { value, schema }: IssueContext): UnlocatedProblem {
  const found = valueAt(value, path);
  const isBare = expected === 'string' && (typeof found === 'number' || typeof found === 'boolean');
  return withHint({ path, message: wrongTypeMessage(found, expected) }, () => {
    const example = exampleAt(schema, path);
    if (example !== undefined) return `for example ${example}`;
    return isBare ? 'write it in quotes' : undefined;
  });
}

function wrongTypeMessage(found: unknown, expected: string): string {
  if (found === undefined) return 'is required';
  return found === null ? 'is empty; set a value or remove the key' : `must be ${typeNames[expected] ?? expected}`;
}

function notOneOf(path: KeyPath, values: readonly string[], { value }: IssueContext): UnlocatedProblem {
  const found = valueAt(value, path);
  const words = values.filter((word) => word !== '').join(', ');
  const message = found === undefined ? 'is required' : `must be one of ${words}`;
  return withHint({ path, message }, () => {
    const meant = typeof found === 'string' ? closestMatch(found, values) : undefined;
    return meant === undefined ? undefined : `did you mean \`${meant}\`?`;
  });
}

function boundMessage(side: string, limit: number | bigint, origin: string): string {
  if (origin === 'array') return `must have ${side} ${limit} ${Number(limit) === 1 ? 'entry' : 'entries'}`;
  if (origin !== 'string') return `must be ${side} ${limit}`;
  return Number(limit) === 1 && side === 'at least' ? 'must not be empty' : `must have ${side} ${limit} characters`;
}

function hintOf(issue: Issue): { readonly hint?: string } {
  const hint: unknown = issue.code === 'custom' ? issue.params?.hint : undefined;
  return typeof hint === 'string' ? { hint } : {};
}

/** Example line for `path`, from the examples or the default of the schema. */
function exampleAt(shape: JsonSchema, path: KeyPath): string | undefined {
  const at = schemaAt(shape, path);
  const example = at?.examples?.[0] ?? at?.default;
  const key = path.findLast((step) => typeof step === 'string');
  const isPlain = typeof example === 'string' || typeof example === 'number' || typeof example === 'boolean';
  if (!isPlain || key === undefined) return undefined;
  // Quotes for a value that YAML would parse as another type, also inside braces.
  const isText = typeof example === 'string' && (!/^[\w./:-]*$/.test(example) || Number.isFinite(Number(example)));
  return `\`${key}: ${isText ? JSON.stringify(example) : String(example)}\``;
}

/** Value at a path, from own properties only: `toString` is not a configured key. */
function valueAt(value: unknown, path: KeyPath): unknown {
  return path.reduce<unknown>((at, step) => {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined;
    return Object.getOwnPropertyDescriptor(at, step)?.value;
  }, value);
}
