import { z } from 'zod';
import { failure } from '../../kernel/failure.ts';
import { err, mapResult, ok } from '../../kernel/result.ts';
import type { CheckResult } from '../../model/node.ts';
import type { Caller } from '../caller.ts';
import type { Answer } from '../graph-db.ts';
import { booleanSchema, parserOf, rawList, textOrEmpty } from '../reply-schemas.ts';
import { parseEntries } from './list.ts';

const length = rawList.nullish().transform((entries) => entries?.length ?? 0);
const item = parserOf(
  z.object({ PassCheck: booleanSchema, UnSyncList: length, Partition: textOrEmpty, GPE: textOrEmpty }),
);
const optional = rawList.nullish().transform((entries) => entries ?? []);
const dataAnswer = z.object({ results: z.object({ GPESelfCheck: optional, GPEGSECheck: optional }) });
const vertexAnswer = z.object({ results: rawList });
const noResults = failure('body', 'the response contains no check results');

type Check = CheckResult['check'];

interface CheckReply {
  readonly name: 'dataConsistency' | 'deletedVertices';
  readonly check: Check;
  readonly entries: readonly unknown[];
  /** Overall verdict of the server. */
  readonly message: unknown;
}

/** `GET /restpp/data_consistency_check`: verdicts on partitions, and on each engine against the storage component. */
export function fetchDataConsistency(caller: Caller, signal: AbortSignal): Answer<readonly CheckResult[]> {
  return timed(caller, async () => {
    const json = await caller.json('dataConsistency', {}, signal);
    if (!json.ok) return json;
    const read = dataAnswer.safeParse(json.value);
    if (!read.success) return err(caller.withContext('dataConsistency', noResults));
    const { GPESelfCheck, GPEGSECheck } = read.data.results;
    const entries = [...GPESelfCheck, ...GPEGSECheck];
    const { message } = json.value;
    return await parseResults(caller, { name: 'dataConsistency', check: 'data_consistency', entries, message }, signal);
  });
}

/** `GET /restpp/deleted_vertex_check`: one verdict for each engine. A failed check raises no error flag. */
export function fetchDeletedVertices(caller: Caller, signal: AbortSignal): Answer<readonly CheckResult[]> {
  return timed(caller, async () => {
    const json = await caller.json('deletedVertices', {}, signal);
    if (!json.ok) return json;
    const read = vertexAnswer.safeParse(json.value);
    if (!read.success) return err(caller.withContext('deletedVertices', noResults));
    const { results: entries } = read.data;
    const { message } = json.value;
    return await parseResults(caller, { name: 'deletedVertices', check: 'deleted_vertex', entries, message }, signal);
  });
}

/** Adds the duration and the end of the check to each verdict. */
async function timed(caller: Caller, run: () => Answer<readonly CheckResult[]>): Answer<readonly CheckResult[]> {
  const began = caller.clock.now().mono;
  const results = await run();
  const { wall: endedAt, mono } = caller.clock.now();
  return mapResult(results, (all) => all.map((one) => ({ ...one, durationMillis: mono - began, endedAt })));
}

/** Uses the message if no entry has the same result: `check failed` without a failed entry, `check passed` without entries. */
async function parseResults(
  caller: Caller,
  { name, check, entries, message }: CheckReply,
  signal: AbortSignal,
): Answer<readonly CheckResult[]> {
  const results = await parseEntries(
    caller,
    { name, entries, entry: (value) => parseResult(check, value), needs: 'none' },
    signal,
  );
  if (!results.ok) return results;
  const overall = { check, graph: '', partition: '', engine: '', unsynced: 0 };
  const allPassed = results.value.every(({ passed }) => passed);
  if (message === 'check failed' && allPassed) return ok([...results.value, { ...overall, passed: false }]);
  const isSilent = message === 'check passed' && results.value.length === 0;
  return isSilent ? ok([{ ...overall, passed: true }]) : results;
}

function parseResult(check: Check, value: unknown): CheckResult | undefined {
  const read = item(value);
  if (read === undefined) return undefined;
  const { PassCheck: passed, UnSyncList, Partition: partition, GPE: engine } = read;
  return { check, graph: '', partition, engine, passed, unsynced: UnSyncList };
}
