import { type JsonSchema, nameField, type ObjectSchema, type Schema, toJsonSchema } from '../../api/fields.ts';
import { closestMatch } from '../../config/name-suggestions.ts';
import { parseDuration } from '../../kernel/duration.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { StoreCondition } from '../../kernel/store.ts';

/** Value in the query string. */
export interface Parameter {
  readonly name: string;
  readonly about: string;
  readonly schema: JsonSchema;
  readonly required?: boolean;
}

/** Returns a parameter with the values of `schema`; any text without it. */
export function parameter(name: string, about: string, schema: Schema = nameField): Parameter {
  return { name, about, schema: toJsonSchema(schema) };
}

/** Returns parameters that filter a list by fields of its items. A field with an enumeration gives its values to the parameter. */
export function filterParameters(names: readonly string[], { shape }: ObjectSchema): readonly Parameter[] {
  return names.map((name) => {
    const { description: _, ...field } = toJsonSchema(shape[name] ?? nameField);
    const isClosed = allowedValues(field) !== undefined;
    return { name, about: `Only items with this \`${name}\`.`, schema: isClosed ? field : toJsonSchema(nameField) };
  });
}

const timestampFormat = 'a duration before now such as 24h, or a time such as 2026-01-31T12:00:00Z';

/** Parameters that limit a list to a time range. */
export const timeRangeParameters: readonly Parameter[] = [
  parameter('since', `Only items from this time on: ${timestampFormat}.`),
  parameter('until', `Only items before this time: ${timestampFormat}.`),
];

/**
 * Returns what is wrong with the values that `query` has for `parameters`, as a sentence; undefined if nothing is. Without
 * the check, a mistyped value would give an empty list.
 */
export function invalidParameter(parameters: readonly Parameter[], query: URLSearchParams): string | undefined {
  for (const { name, schema } of parameters) {
    const given = query.getAll(name);
    if (given.length > 1 && schema.type !== 'array') {
      return `Parameter '${name}' occurs ${given.length} times; it is allowed once.`;
    }
    const allowed = allowedValues(schema);
    const wrong = allowed === undefined ? undefined : given.find((value) => !allowed.includes(value));
    if (wrong !== undefined) {
      const close = closestMatch(wrong, allowed ?? []);
      const hint = close === undefined ? '' : ` Did you mean '${close}'?`;
      return `Parameter '${name}' must be one of ${allowed?.filter(Boolean).join(', ')}, not '${wrong}'.${hint}`;
    }
  }
  return undefined;
}

/** Returns the sentence for a parameter that the route does not have. */
export function unknownParameter(name: string): string {
  return `Parameter '${name}' does not exist.`;
}

/** Parses a time as people write it: RFC 3339, or a duration before now. The error is a sentence. */
export function parseTimestamp(name: string, text: string, now: number): Result<number, string> {
  const ago = parseDuration(text);
  // A time before 1970 may have no date.
  if (ago.ok) return ok(Math.max(0, now - ago.value));
  const isDate = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/i.test(text);
  const moment = isDate ? Date.parse(text) : Number.NaN;
  return Number.isNaN(moment)
    ? err(`${name} must be a duration such as 24h, or a time such as 2026-01-31T12:00:00Z.`)
    : ok(moment);
}

/**
 * Returns the conditions of `query` on stored rows that have a time `at`; `columns` maps its other parameters to columns.
 * Skips the paging parameters. The error is a sentence.
 */
export function rowConditions(
  query: URLSearchParams,
  columns: Readonly<Record<string, string>>,
  now: number,
): Result<readonly StoreCondition[], string> {
  const conditions: StoreCondition[] = [];
  const bounds = { since: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };
  for (const [name, value] of query) {
    if (name === 'limit' || name === 'offset') continue;
    if (name === 'since' || name === 'until') {
      const moment = parseTimestamp(name, value, now);
      if (!moment.ok) return moment;
      bounds[name] = moment.value;
      conditions.push({ column: 'at', is: name === 'since' ? '>=' : '<', value: moment.value });
      continue;
    }
    const column = Object.hasOwn(columns, name) ? columns[name] : undefined;
    if (column === undefined) return err(unknownParameter(name));
    conditions.push({ column, is: '=', value });
  }
  return bounds.since > bounds.until ? err('since must not be after until.') : ok(conditions);
}

/** Returns the values of an enumeration; undefined if the schema allows any text. */
function allowedValues(schema: JsonSchema): readonly string[] | undefined {
  if (schema.type === 'boolean') return ['true', 'false'];
  return Array.isArray(schema.enum) ? schema.enum.filter((value) => typeof value === 'string') : undefined;
}
