import { z } from 'zod';
import type { Failure } from '../../kernel/failure.ts';
import { err, ok } from '../../kernel/result.ts';
import {
  type CodeDigest,
  type CodeItem,
  type CodeList,
  type FunctionFile,
  functionFiles,
  type UserFunctions,
} from '../../model/functions.ts';
import type { Caller } from '../caller.ts';
import type { Answer } from '../graph-db.ts';
import { parserOf, rawList, textOrEmpty } from '../reply-schemas.ts';
import { fetchList, type ListCall } from './list.ts';

/** Functions or tuples of a list, and fields of a tuple, that are compared. */
const maxItems = 1000;
const maxFields = 200;

const name = z.string().min(1).max(1000);
const word = textOrEmpty.catch('').transform((text) => text.slice(0, 1000));
const libraryFunction = parserOf(z.looseObject({ name }));
const tuple = parserOf(z.object({ name, fields: rawList.nullish().catch(undefined) }));
const field = parserOf(z.object({ fieldName: name, fieldType: word, length: word }));

/** Digits of a digest in a list, which name a version of a function. */
const shownDigits = 12;

/**
 * `GET /gsql/v1/udt/files/{file}` of each file, `GET /gsql/v1/library/.*` and `GET /gsql/v1/udt/tuples`. The texts are
 * reduced to digests at once. A server that lacks a part is polled without it; one that lacks all of them is
 * unsupported. The documents describe the library request with a function name only, and no list of tuples.
 */
export async function fetchUserFunctions(caller: Caller, signal: AbortSignal): Answer<UserFunctions> {
  const digests: CodeDigest[] = [];
  let lacking: Failure | undefined;
  for (const file of functionFiles) {
    const digest = await fetchFile(caller, file, signal);
    if (digest.ok) digests.push({ code: file, digest: digest.value });
    else if (digest.error.reason === 'unsupported') lacking ??= digest.error;
    else return digest;
  }
  const items: CodeItem[] = [];
  const counts: Partial<Record<CodeList, number>> = {};
  for (const list of ['library', 'tuples'] as const) {
    const listed = await fetchList(caller, listCalls(caller)[list], signal);
    if (!listed.ok && listed.error.reason !== 'unsupported') return listed;
    if (!listed.ok) continue;
    counts[list] = listed.value.length;
    digests.push({ code: list, digest: digestOf(caller, listed.value) });
    items.push(...listed.value.slice(0, maxItems));
  }
  if (lacking !== undefined && digests.length === 0) return err(lacking);
  const missing = functionFiles.filter((file) => !digests.some(({ code }) => code === file));
  return ok({ digests: [...digests, ...missing.map((code) => ({ code, digest: '' }))], items, counts });
}

async function fetchFile(caller: Caller, file: FunctionFile, signal: AbortSignal): Answer<string> {
  const json = await caller.json('functionFile', { segments: { file } }, signal);
  return json.ok ? ok(caller.digest.sha256(JSON.stringify(json.value.results ?? null))) : json;
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
