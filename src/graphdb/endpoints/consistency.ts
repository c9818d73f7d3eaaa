import { z } from 'zod';
import { failure } from '../../kernel/failure.ts';
import { err, ok } from '../../kernel/result.ts';
import type { CheckVerdict } from '../../model/node.ts';
import type { Caller } from '../caller.ts';
import type { Answer } from '../graph-db.ts';
import { entry, text, verdict } from '../shapes.ts';

const unsynced = z
  .array(z.unknown())
  .nullish()
  .transform((list) => list?.length ?? 0);
const item = entry(z.object({ PassCheck: verdict, UnSyncList: unsynced, Partition: text, GPE: text }));
const list = z
  .array(z.unknown())
  .nullish()
  .transform((value) => value ?? []);
const dataAnswer = z.object({ results: z.object({ GPESelfCheck: list, GPEGSECheck: list }) });
const vertexAnswer = z.object({ results: z.array(z.unknown()) });

type Check = CheckVerdict['check'];

/** `GET /restpp/data_consistency_check`: verdicts on partitions, and on each engine against the storage component. */
export async function readDataConsistency(caller: Caller, signal: AbortSignal): Answer<readonly CheckVerdict[]> {
  const json = await caller.json('dataConsistency', {}, signal);
  if (!json.ok) return json;
  const read = dataAnswer.safeParse(json.value);
  if (!read.success) return err(caller.about('dataConsistency', failure('body', 'the answer holds no verdicts')));
  const { GPESelfCheck, GPEGSECheck } = read.data.results;
  return ok(withOverall('data_consistency', [...GPESelfCheck, ...GPEGSECheck], json.value.message));
}

/** `GET /restpp/deleted_vertex_check`: one verdict for each engine. A failed check raises no error flag. */
export async function readDeletedVertices(caller: Caller, signal: AbortSignal): Answer<readonly CheckVerdict[]> {
  const json = await caller.json('deletedVertices', {}, signal);
  if (!json.ok) return json;
  const read = vertexAnswer.safeParse(json.value);
  if (!read.success) return err(caller.about('deletedVertices', failure('body', 'the answer holds no verdicts')));
  return ok(withOverall('deleted_vertex', read.data.results, json.value.message));
}

/** «check failed» counts even where no entry says so. */
function withOverall(check: Check, entries: readonly unknown[], message: unknown): readonly CheckVerdict[] {
  const verdicts = entries.flatMap((value) => verdictOf(check, value));
  const hidden = message === 'check failed' && verdicts.every(({ passed }) => passed);
  return hidden ? [...verdicts, { check, graph: '', partition: '', engine: '', passed: false, unsynced: 0 }] : verdicts;
}

function verdictOf(check: Check, value: unknown): readonly CheckVerdict[] {
  const read = item(value);
  if (read === undefined) return [];
  const { PassCheck: passed, UnSyncList, Partition: partition, GPE: engine } = read;
  return [{ check, graph: '', partition, engine, passed, unsynced: UnSyncList }];
}
