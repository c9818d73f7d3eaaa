import { failure } from '../../kernel/failure.ts';
import { err } from '../../kernel/result.ts';
import type { Caller } from '../caller.ts';
import type { CallInput, CallName } from '../calls.ts';
import type { Answer } from '../graph-db.ts';
import type { JsonObject } from '../reply.ts';
import { mapEntries, runSliced } from '../sliced-work.ts';

/** Call whose reply is a list under one member. */
export interface ListCall<Item> {
  readonly name: CallName;
  readonly input: CallInput;
  readonly member: string;
  /** Parses one entry; undefined skips it. */
  readonly entry: (value: unknown) => Item | undefined;
  /** One skipped entry makes the reply invalid, because something would seem to be removed, or a total too low. */
  readonly needsAll?: boolean;
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
  const items = await parseEntries<unknown, Item>(caller, { name, entries, entry }, signal);
  const skipped = items.ok && needsAll ? entries.length - items.value.length : 0;
  if (skipped === 0) return items;
  return err(caller.withContext(name, failure('body', `${skipped} of ${entries.length} entries are invalid`)));
}

/** Entries of a received reply. */
export interface ReplyEntries<From, Item> {
  readonly name: CallName;
  readonly entries: Iterable<From>;
  /** Parses one entry; undefined skips it. */
  readonly entry: (value: From) => Item | undefined;
}

/** Parses entries in slices: 100,000 entries must not block the event loop. */
export async function parseEntries<From, Item>(
  caller: Caller,
  { name, entries, entry }: ReplyEntries<From, Item>,
  signal: AbortSignal,
): Answer<readonly Item[]> {
  const items = await runSliced(mapEntries(entries, entry), caller.clock, signal);
  return items.ok ? items : err(caller.withContext(name, items.error));
}
