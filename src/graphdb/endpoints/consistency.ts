import { z } from 'zod';
import { failure } from '../../kernel/failure.ts';
import { err, map, ok } from '../../kernel/result.ts';
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
const noVerdicts = failure('body', 'the answer holds no verdicts');

type Check = CheckVerdict['check'];

interface Report {
  readonly check: Check;
  readonly entries: readonly unknown[];
  /** The server's verdict on the whole. */
  readonly message: unknown;
}

/** `GET /restpp/data_consistency_check`: verdicts on partitions, and on each engine against the storage component. */
export function readDataConsistency(caller: Caller, signal: AbortSignal): Answer<readonly CheckVerdict[]> {
  return timed(caller, async () => {
    const json = await caller.json('dataConsistency', {}, signal);
    if (!json.ok) return json;
    const read = dataAnswer.safeParse(json.value);
    if (!read.success) return err(caller.about('dataConsistency', noVerdicts));
    const { GPESelfCheck, GPEGSECheck } = read.data.results;
    const entries = [...GPESelfCheck, ...GPEGSECheck];
    return ok(verdictsOf({ check: 'data_consistency', entries, message: json.value.message }));
  });
}

/** `GET /restpp/deleted_vertex_check`: one verdict for each engine. A failed check raises no error flag. */
export function readDeletedVertices(caller: Caller, signal: AbortSignal): Answer<readonly CheckVerdict[]> {
  return timed(caller, async () => {
    const json = await caller.json('deletedVertices', {}, signal);
    if (!json.ok) return json;
    const read = vertexAnswer.safeParse(json.value);
    if (!read.success) return err(caller.about('deletedVertices', noVerdicts));
    return ok(verdictsOf({ check: 'deleted_vertex', entries: read.data.results, message: json.value.message }));
  });
}

/** Puts on each verdict how long the check took and when it ended. */
async function timed(caller: Caller, run: () => Answer<readonly CheckVerdict[]>): Answer<readonly CheckVerdict[]> {
  const began = caller.clock.now().mono;
  const verdicts = await run();
  const { wall: endedAt, mono } = caller.clock.now();
  return map(verdicts, (all) => all.map((one) => ({ ...one, tookMillis: mono - began, endedAt })));
}

/** The message counts where no entry says the same: `check failed` without a failed one, `check passed` without any. */
function verdictsOf({ check, entries, message }: Report): readonly CheckVerdict[] {
  const verdicts = entries.flatMap((value) => verdictOf(check, value));
  const overall = { check, graph: '', partition: '', engine: '', unsynced: 0 };
  const allPassed = verdicts.every(({ passed }) => passed);
  if (message === 'check failed' && allPassed) return [...verdicts, { ...overall, passed: false }];
  return message === 'check passed' && verdicts.length === 0 ? [{ ...overall, passed: true }] : verdicts;
}

function verdictOf(check: Check, value: unknown): readonly CheckVerdict[] {
  const read = item(value);
  if (read === undefined) return [];
  const { PassCheck: passed, UnSyncList, Partition: partition, GPE: engine } = read;
  return [{ check, graph: '', partition, engine, passed, unsynced: UnSyncList }];
}
