import type { OutgoingReply } from '../kernel/listener.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import type { Parameter } from './parameters.ts';
import { json, problem } from './reply.ts';

const most = 1000;
const usual = 100;

/** The paging that every list understands. */
export const pagingParameters: readonly Parameter[] = [
  { name: 'limit', about: 'How many to give.', schema: { type: 'integer', minimum: 1, maximum: most, default: usual } },
  { name: 'offset', about: 'How many to leave out before them.', schema: { type: 'integer', minimum: 0, default: 0 } },
];

/** The schema of a page of `items`. */
export function pageSchema(item: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const count = { type: 'integer', minimum: 0 };
  return {
    type: 'object',
    required: ['items', 'total', 'limit', 'offset'],
    properties: { items: { type: 'array', items: item }, total: count, limit: count, offset: count },
  };
}

/**
 * The page of `items` that the query asks for. Every other parameter of the query must be one of `filters`,
 * and is compared with the item's own text; an unknown one is a mistake that would else show too much.
 */
export function paged<Item>(
  items: readonly Item[],
  query: URLSearchParams,
  filters: Readonly<Record<string, (item: Item) => string>>,
): OutgoingReply {
  const page = pageOf(query);
  if (!page.ok) return problem(400, page.error);
  const { limit, offset } = page.value;
  const asked = [...query].filter(([name]) => name !== 'limit' && name !== 'offset');
  const unknown = asked.find(([name]) => !Object.hasOwn(filters, name));
  if (unknown !== undefined) return problem(400, `There is no parameter '${unknown[0]}' here.`);
  const found = items.filter((item) => asked.every(([name, value]) => filters[name]?.(item) === value));
  return json({ items: found.slice(offset, offset + limit), total: found.length, limit, offset });
}

/** Which part of a list a query asks for; the error is a sentence. */
export function pageOf(query: URLSearchParams): Result<{ readonly limit: number; readonly offset: number }, string> {
  const limit = wholeNumber(query, 'limit', { least: 1, usual });
  if (!limit.ok) return limit;
  const offset = wholeNumber(query, 'offset', { least: 0, usual: 0 });
  return offset.ok ? ok({ limit: limit.value, offset: offset.value }) : offset;
}

function wholeNumber(
  query: URLSearchParams,
  name: string,
  { least, usual: fallback }: { readonly least: number; readonly usual: number },
): Result<number, string> {
  const text = query.get(name);
  if (text === null) return ok(fallback);
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  const inRange = value >= least && (name === 'offset' || value <= most);
  return inRange
    ? ok(value)
    : err(`${name} must be a whole number from ${least}${name === 'limit' ? ` to ${most}` : ''}.`);
}
