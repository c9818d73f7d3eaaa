import { z } from 'zod';
import type { Failure } from '../../kernel/failure.ts';
import { err, ok } from '../../kernel/result.ts';
import {
  type CodeDigest,
  type CodeItem,
  type CodeList,
  codeLists,
  type FunctionFile,
  functionFiles,
  type UserFunctions,
} from '../../model/functions.ts';
import { firstByName } from '../../model/inventory.ts';
import type { Caller } from '../caller.ts';
import type { Answer } from '../graph-db.ts';
import { parserOf, rawList, textOrEmpty } from '../reply-schemas.ts';
import { fetchList, type ListCall } from './list.ts';

/** Maximum numbers that are compared: functions or tuples of a list, and fields of a tuple. */
const maxItems = 1000;
const maxFields = 200;

const name = z.string().min(1).max(1000);
const word = textOrEmpty.catch('').transform((text) => text.slice(0, 1000));
const libraryFunction = parserOf(z.looseObject({ name }));
const tuple = parserOf(z.object({ name, fields: rawList.nullish().catch(undefined) }));
const field = parserOf(z.object({ fieldName: name, fieldType: word, length: word }));

/** Number of digits of a digest that identify the version of a function in a list. */
const shownDigits = 12;

/** Content of one file or list, in one reply. */
interface Content {
  readonly digest: string;
  readonly items: readonly CodeItem[];
  /** Number of all entries of a list. */
  readonly count: number;
}

/** Contents that two replies of the server agreed on. */
export interface ConfirmedFunctions {
  readonly confirmed: Map<CodeDigest['code'], Content>;
  /** Files and lists that the previous poll did not find. */
  missing: ReadonlySet<CodeDigest['code']>;
}

/** Creates the state of {@link fetchUserFunctions} that the nodes of a cluster share. */
export function createConfirmedFunctions(): ConfirmedFunctions {
  return { confirmed: new Map(), missing: new Set() };
}

const noContent: Content = { digest: '', items: [], count: 0 };

/**
 * `GET /gsql/v1/udt/files/{file}` of each file, `GET /gsql/v1/library/.*` and `GET /gsql/v1/udt/tuples`. The texts are
 * reduced to digests at once. A server that lacks a part is polled without it; one that lacks all of them is
 * unsupported. The documents describe the library request with a function name only, and no list of tuples.
 *
 * A changed digest is reported to people, so a single odd reply must not change one: new content is requested twice, and
 * a file or list is missing when two polls in a row do not find it.
 */
export async function fetchUserFunctions(
  caller: Caller,
  state: ConfirmedFunctions,
  signal: AbortSignal,
): Answer<UserFunctions> {
  const fetchers = new Map<CodeDigest['code'], () => Answer<Content>>([
    ...functionFiles.map((file) => [file, () => fetchFile(caller, file, signal)] as const),
    ...codeLists.map((list) => [list, () => fetchCodeList(caller, list, signal)] as const),
  ]);
  const missing = new Set<CodeDigest['code']>();
  let lacking: Failure | undefined;
  for (const [code, fetchContent] of fetchers) {
    const answer = await confirm(state, code, fetchContent);
    if (!answer.ok && answer.error.reason !== 'unsupported') return answer;
    if (answer.ok) continue;
    lacking ??= answer.error;
    missing.add(code);
  }
  for (const code of missing) if (state.missing.has(code)) forgetContent(state, code);
  state.missing = missing;
  return lacking !== undefined && missing.size === fetchers.size ? err(lacking) : ok(confirmedFunctions(state));
}

/** Forgets a content that the server lacks. A missing file is a fact about the engine; a missing list is not a fact. */
function forgetContent({ confirmed }: ConfirmedFunctions, code: CodeDigest['code']): void {
  if (codeLists.some((list) => list === code)) confirmed.delete(code);
  else confirmed.set(code, noContent);
}

/** Requests a content, and again if it differs from the confirmed one: only two equal replies change it. */
async function confirm(
  { confirmed }: ConfirmedFunctions,
  code: CodeDigest['code'],
  fetchContent: () => Answer<Content>,
): Answer<true> {
  const first = await fetchContent();
  if (!first.ok) return first;
  if (first.value.digest === confirmed.get(code)?.digest) return ok(true);
  const second = await fetchContent();
  if (!second.ok) return second;
  if (second.value.digest === first.value.digest) confirmed.set(code, second.value);
  return ok(true);
}

function confirmedFunctions({ confirmed }: ConfirmedFunctions): UserFunctions {
  const digests = [...functionFiles, ...codeLists].flatMap((code) => {
    const content = confirmed.get(code);
    return content === undefined ? [] : [{ code, ...content }];
  });
  const lists = codeLists.flatMap((list) => {
    const content = confirmed.get(list);
    return content === undefined ? [] : [[list, content.count] as const];
  });
  return {
    digests: digests.map(({ code, digest }) => ({ code, digest })),
    items: digests.flatMap(({ items }) => items),
    counts: Object.fromEntries(lists),
  };
}

async function fetchFile(caller: Caller, file: FunctionFile, signal: AbortSignal): Answer<Content> {
  const json = await caller.json('functionFile', { segments: { file } }, signal);
  if (!json.ok) return json;
  return ok({ ...noContent, digest: caller.digest.sha256(JSON.stringify(json.value.results ?? null)) });
}

async function fetchCodeList(caller: Caller, list: CodeList, signal: AbortSignal): Answer<Content> {
  const listed = await fetchList(caller, listCalls(caller)[list], signal);
  if (!listed.ok) return listed;
  const { value } = listed;
  return ok({ digest: digestOf(caller, value), items: firstByName(value, maxItems), count: value.length });
}

function listCalls(caller: Caller): Readonly<Record<CodeList, ListCall<CodeItem>>> {
  const query = { isRegularExpression: 'true' };
  const parseFunction = (value: unknown): CodeItem | undefined => parseLibraryFunction(caller, value);
  return {
    library: { name: 'libraryFunctions', input: { query }, member: 'results', entry: parseFunction },
    tuples: { name: 'tuples', input: {}, member: 'results', entry: parseTuple },
  };
}

/** The text of the function is dropped. */
function parseLibraryFunction(caller: Caller, value: unknown): CodeItem | undefined {
  const read = libraryFunction(value);
  if (read === undefined) return undefined;
  const digest = caller.digest.sha256(JSON.stringify(read));
  return { list: 'library', name: read.name, parts: [`sha256 ${digest.slice(0, shownDigits)}`] };
}

function parseTuple(value: unknown): CodeItem | undefined {
  const read = tuple(value);
  if (read === undefined) return undefined;
  const parts = (read.fields ?? []).flatMap((one) => {
    const given = field(one);
    const length = given === undefined || given.length === '' ? '' : `(${given.length})`;
    return given === undefined ? [] : [`${given.fieldName} ${given.fieldType}${length}`];
  });
  return { list: 'tuples', name: read.name, parts: parts.slice(0, maxFields) };
}

/** Digest of a list, whatever the order in which the server returns it. */
function digestOf(caller: Caller, items: readonly CodeItem[]): string {
  const lines = items.map((item) => JSON.stringify([item.name, item.parts]));
  return caller.digest.sha256(lines.toSorted().join('\n'));
}
