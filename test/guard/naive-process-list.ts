import type { ExpectedInstances } from '../../src/guard/process-list.ts';

/** Content of a list, or the reason why it is void, as one text, so that the results of two parsers can be compared. */
export type ListSummary = string;

/**
 * Second parser of process lists, written from the specification alone. It goes character by character, without a
 * schema and without a regular expression over a whole text.
 */
export function summarizeListNaively(body: unknown, { own, others }: ExpectedInstances): ListSummary {
  if (!isObject(body)) return 'malformed';
  if (body.error === true || body.error === 'true') return 'error';
  if (body.error !== undefined && body.error !== false && body.error !== 'false') return 'malformed';
  if (!Array.isArray(body.results)) return 'malformed';
  const entries: readonly unknown[] = body.results;
  const ids = entries
    .map((entry) => (isObject(entry) ? entry.requestid : undefined))
    .filter((id) => typeof id === 'string');
  if (ids.some((id, index) => ids.indexOf(id) !== index)) return 'duplicate_ids';
  const lines = entries.map(naiveEntry);
  const isForeign = (instance: string) => (own === undefined ? others.has(instance) : instance !== own);
  const named = lines.flatMap(({ instance }) => (instance === undefined ? [] : [instance]));
  const isMixed = own === undefined && named.some((instance) => instance !== named[0]);
  if (isMixed || named.some(isForeign)) return 'foreign_instance';
  return lines
    .map(({ text }) => text)
    .toSorted(alphabetically)
    .join('\n');
}

/** Order is no part of what is said. */
export function alphabetically(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

interface Line {
  readonly text: string;
  readonly instance?: string;
}

function naiveEntry(entry: unknown): Line {
  if (!isObject(entry) || typeof entry.requestid !== 'string') return { text: 'id' };
  const [serial = '', tag = '', arrival = '', notification, ...more] = entry.requestid.split('.');
  const [service, partition = '', replica = '', ...rest] = tag.split('_');
  const isId =
    service === 'RESTPP' &&
    notification === 'N' &&
    more.length + rest.length === 0 &&
    isDigits(serial, 1, 20) &&
    isDigits(partition, 1, 4) &&
    isDigits(replica, 1, 4) &&
    isDigits(arrival, 13, 13);
  if (!isId) return { text: 'id' };
  const { url, startTime, expirationTime, elapsedTime, method } = entry;
  const elapsed = numberOf(elapsedTime);
  const start = instantOf(startTime);
  const expiration = expirationTime === undefined || expirationTime === null ? start : instantOf(expirationTime);
  const isSound =
    typeof url === 'string' &&
    url.length > 0 &&
    url.length <= 65_536 &&
    elapsed >= 0 &&
    elapsed < Number.POSITIVE_INFINITY &&
    expiration >= start - 3_600_000 &&
    (method === undefined || method === null || ['GET', 'POST', 'DELETE'].some((one) => one === method));
  if (!isSound) return { text: 'field' };
  const timeout = typeof expirationTime === 'string' ? expiration - start : undefined;
  const facts = [
    entry.requestid,
    tag,
    Number(arrival),
    calledBy(url),
    url,
    startTime,
    elapsed,
    timeout,
    method ?? undefined,
  ];
  return { text: JSON.stringify(facts), instance: tag };
}

/** The installed query that a url calls, as `graph/name`; `-` for whatever else it is. */
function calledBy(url: string): string {
  const path = url.includes('?') ? url.slice(0, url.indexOf('?')) : url;
  const parts = path.split('/');
  const [empty, query, graph = '', name = '', ...more] = parts[1] === 'restpp' ? ['', ...parts.slice(2)] : parts;
  const isCall = empty === '' && query === 'query' && isName(graph) && isName(name) && more.length === 0;
  return isCall ? `${graph}/${name}` : '-';
}

function isName(text: string): boolean {
  const [first = '', ...more] = Array.from(text);
  return isNotification(first) && more.length < 128 && more.every((one) => isNotification(one) || isDigits(one, 1, 1));
}

function isNotification(one: string): boolean {
  return one === '_' || (one >= 'a' && one <= 'z') || (one >= 'A' && one <= 'Z');
}

function isDigits(text: string, least: number, most: number): boolean {
  return text.length >= least && text.length <= most && Array.from(text).every((one) => one >= '0' && one <= '9');
}

/** NaN, which compares with nothing, for what is no number. */
function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  const isDecimal =
    typeof value === 'string' && value !== '' && Array.from(value).every((one) => '0123456789.e'.includes(one));
  return isDecimal ? Number(value) : Number.NaN;
}

/** ms of some epoch, NaN for what is no time. */
function instantOf(value: unknown): number {
  return typeof value === 'string' && value.length === 23 ? Date.parse(`${value.replace(' ', 'T')}Z`) : Number.NaN;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
