import { countField, maxPageSize, type Page } from '../../api/fields.ts';
import type { OutgoingReply } from '../../kernel/listener.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { type KnownValues, unknownValue } from './known-values.ts';
import { type Parameter, parameter, unknownParameter } from './query-parameters.ts';
import { jsonReply, problemReply } from './reply.ts';

const defaultLimit = 100;

/** Paging parameters of every list. */
export const pagingParameters: readonly Parameter[] = [
  parameter('limit', 'Largest number of items to return.', countField.min(1).max(maxPageSize).default(defaultLimit)),
  parameter('offset', 'Number of items to skip.', countField.default(0)),
];

/** Errors of every list. */
export const listErrors: Readonly<Record<number, string>> = {
  400: 'A parameter is unknown or invalid, or a filter names a thing that does not exist.',
};

/**
 * Returns the page of `items` that the query asks for. Every other parameter must be one of `filters`, and is compared
 * with the text of the item; an unknown parameter is an error, because the list would contain too much without it. So is
 * a filter of an empty list whose value is not one of `known`.
 */
export function pagedReply<Item>(
  items: readonly Item[],
  query: URLSearchParams,
  filters: Readonly<Record<string, (item: Item) => string>>,
  known: KnownValues = {},
): OutgoingReply {
  const page = parsePage(query);
  if (!page.ok) return problemReply(400, page.error);
  const found = filterItems(items, query, filters);
  if (!found.ok) return problemReply(400, found.error);
  const problem = found.value.length === 0 ? unknownValue(query, known) : undefined;
  if (problem !== undefined) return problemReply(400, problem);
  return jsonReply(pageOf(found.value, page.value));
}

/** Returns the items that the filters of a query match; the error is that a filter does not exist. */
export function filterItems<Item>(
  items: readonly Item[],
  query: URLSearchParams,
  filters: Readonly<Record<string, (item: Item) => string>>,
): Result<readonly Item[], string> {
  const given = [...query].filter(([name]) => name !== 'limit' && name !== 'offset');
  const unknown = given.find(([name]) => !Object.hasOwn(filters, name));
  if (unknown !== undefined) return err(unknownParameter(unknown[0]));
  return ok(items.filter((item) => given.every(([name, value]) => filters[name]?.(item) === value)));
}

/** Returns one page of a list. */
export function pageOf<Item>(
  items: readonly Item[],
  { limit, offset }: Pick<Page<unknown>, 'limit' | 'offset'>,
): Page<Item> {
  return { items: items.slice(offset, offset + limit), total: items.length, limit, offset };
}

/** Parses the paging parameters of a query; the error is a sentence. */
export function parsePage(query: URLSearchParams): Result<Pick<Page<unknown>, 'limit' | 'offset'>, string> {
  const limit = parseWholeNumber(query, 'limit', { min: 1, max: maxPageSize, fallback: defaultLimit });
  if (!limit.ok) return limit;
  const offset = parseWholeNumber(query, 'offset', { min: 0, max: Infinity, fallback: 0 });
  return offset.ok ? ok({ limit: limit.value, offset: offset.value }) : offset;
}

function parseWholeNumber(
  query: URLSearchParams,
  name: string,
  { min, max, fallback }: { readonly min: number; readonly max: number; readonly fallback: number },
): Result<number, string> {
  const text = query.get(name);
  if (text === null) return ok(fallback);
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return ok(value);
  return err(`${name} must be a whole number from ${min}${max === Infinity ? '' : ` to ${max}`}.`);
}
