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
  /** Whether one invalid entry makes the reply invalid, because an object would seem removed, or a total too low. */
  readonly needsAll?: boolean;
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
  { name, member, entry, needsAll = false }: Omit<ListCall<Item>, 'input'>,
  json: JsonObject,
  signal: AbortSignal,
): Answer<readonly Item[]> {
  const empty = json[member] === null || Object.keys(json).length === 0;
  const entries = empty ? [] : json[member];
  if (!Array.isArray(entries))
    return err(caller.withContext(name, failure('body', `the response contains no list of ${member}`)));
  return await parseEntries(caller, { name, entries, entry, needsAll }, signal);
}

/** Entries of a received reply. */
export interface ReplyEntries<From, Item> extends EntryParsing<From, Item> {
  readonly entries: Iterable<From>;
}

/** Parses entries in slices: 100,000 entries must not block the event loop. */
export async function parseEntries<From, Item>(
  caller: Caller,
  { name, entries, entry, needsAll = false }: ReplyEntries<From, Item>,
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
  if (skipped === 0 || !needsAll) return items;
  const message = `${skipped} of ${skipped + items.value.length} entries are invalid`;
  return err(caller.withContext(name, failure('body', message)));
}
