import { failure } from '../../kernel/failure.ts';
import { err } from '../../kernel/result.ts';
import type { Caller } from '../caller.ts';
import type { CallInput, CallName } from '../calls.ts';
import type { Answer } from '../graph-db.ts';
import type { JsonObject } from '../reply.ts';
import { mapEntries, runSliced } from '../sliced-work.ts';

/** How the entries of a reply are parsed. */
interface EntryParsing<From, Item> {
  readonly name: CallName;
  /** Parses one entry; undefined skips it. */
  readonly entry: (value: From) => Item | undefined;
  /**
   * Entries that must be valid. `one` (default): a list whose entries are all invalid has another form, and would look
   * empty. `all`: without one entry, something would seem to be removed, or a total would be too low. `none`: entries add
   * only details.
   */
  readonly needs?: 'one' | 'all' | 'none';
}

/** Call whose reply is a list under one member. */
export interface ListCall<Item> extends EntryParsing<unknown, Item> {
  readonly input: CallInput;
  readonly member: string;
}

/**
 * Sends a call and parses its list. The informant omits an empty list, so `{}` is an empty list; any other object
 * without the member is invalid.
 */
export async function fetchList<Item>(
  caller: Caller,
  call: ListCall<Item>,
  signal: AbortSignal,
): Answer<readonly Item[]> {
  const json = await caller.json(call.name, call.input, signal);
  return json.ok ? await parseList(caller, call, json.value, signal) : json;
}

/** Parses the list in a reply that was received. */
export async function parseList<Item>(
  caller: Caller,
  { member, ...parsing }: Omit<ListCall<Item>, 'input'>,
  json: JsonObject,
  signal: AbortSignal,
): Answer<readonly Item[]> {
  const empty = json[member] === null || Object.keys(json).length === 0;
  const entries = empty ? [] : json[member];
  if (!Array.isArray(entries))
    return err(caller.withContext(parsing.name, failure('body', `the response contains no list of ${member}`)));
  return await parseEntries(caller, { ...parsing, entries }, signal);
}

/** Entries of a received reply. */
export interface ReplyEntries<From, Item> extends EntryParsing<From, Item> {
  readonly entries: Iterable<From>;
}

/** Parses entries in slices: 100,000 entries must not block the event loop. */
export async function parseEntries<From, Item>(
  caller: Caller,
  { name, entries, entry, needs = 'one' }: ReplyEntries<From, Item>,
  signal: AbortSignal,
): Answer<readonly Item[]> {
  let skipped = 0;
  const parse = (value: From): Item | undefined => {
    const item = entry(value);
    if (item === undefined) skipped += 1;
    return item;
  };
  const items = await runSliced(mapEntries(entries, parse), caller.clock, signal);
  if (!items.ok) return err(caller.withContext(name, items.error));
  const isValid = skipped === 0 || (needs === 'one' ? items.value.length > 0 : needs === 'none');
  if (isValid) return items;
  const message = `${skipped} of ${skipped + items.value.length} entries are invalid`;
  return err(caller.withContext(name, failure('body', message)));
}
