import { failure } from '../../kernel/failure.ts';
import { err } from '../../kernel/result.ts';
import type { Caller } from '../caller.ts';
import type { CallInput, CallName } from '../calls.ts';
import type { Answer } from '../graph-db.ts';
import { mapEntries, runInSlices } from '../slices.ts';

/** A call whose answer is a list under one member. */
export interface ListCall<Item> {
  readonly name: CallName;
  readonly input: CallInput;
  readonly member: string;
  /** Reads one entry; undefined leaves it out. */
  readonly entry: (value: unknown) => Item | undefined;
}

/**
 * Makes a call and reads its list. The informant leaves an empty list out, so `{}` is one; any other object
 * without the member is not an answer.
 */
export async function readList<Item>(
  caller: Caller,
  call: ListCall<Item>,
  signal: AbortSignal,
): Answer<readonly Item[]> {
  const { name, input, member, entry } = call;
  const json = await caller.json(name, input, signal);
  if (!json.ok) return json;
  const empty = json.value[member] === null || Object.keys(json.value).length === 0;
  const entries = empty ? [] : json.value[member];
  if (!Array.isArray(entries)) return err(caller.about(name, failure('body', `the answer has no list of ${member}`)));
  return await readEntries(caller, { name, entries, entry }, signal);
}

/** The entries of an answer that has come. */
export interface Entries<From, Item> {
  readonly name: CallName;
  readonly entries: Iterable<From>;
  /** Reads one entry; undefined leaves it out. */
  readonly entry: (value: From) => Item | undefined;
}

/** Reads entries in slices: there may be 100,000 of them, which must not hold up anything else. */
export async function readEntries<From, Item>(
  caller: Caller,
  { name, entries, entry }: Entries<From, Item>,
  signal: AbortSignal,
): Answer<readonly Item[]> {
  const items = await runInSlices(mapEntries(entries, entry), caller.clock, signal);
  return items.ok ? items : err(caller.about(name, items.error));
}
