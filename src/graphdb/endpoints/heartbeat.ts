import { z } from 'zod';
import { withDeadline } from '../../kernel/deadline.ts';
import { type Failure, failure } from '../../kernel/failure.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { type Instant, type Millis, toSeconds } from '../../kernel/time.ts';
import type { HeartbeatFailure, ProbePhase, ProbeReply, RowVisibility } from '../../model/probe.ts';
import type { Caller } from '../caller.ts';

/** Node that reads the row of a heartbeat. */
export interface HeartbeatReader {
  readonly node: string;
  readonly caller: Caller;
}

/** Row of a heartbeat: where it is written, and who reads it. */
export interface HeartbeatRun {
  readonly graph: string;
  readonly timeout: Millis;
  readonly writer: Caller;
  readonly readers: readonly HeartbeatReader[];
}

/** Reads of one node while the row is not visible: first as often as the result is precise, then less and less often. */
const leastPause: Millis = 10;
const mostPause: Millis = 250;
const pauseShare = 0.02;

/** Longest deletion of the row, after the timeout of the probe. */
export const heartbeatCleanup: Millis = 5000;

type Timings = Partial<Record<ProbePhase, Millis>>;
type Step = Result<unknown, HeartbeatError>;
type HeartbeatError = Failure & { readonly heartbeat?: HeartbeatFailure };

/**
 * Loads one row of the heartbeat type with `ack=all`, reads it on each node until all return it, and deletes it, whatever
 * happened before. The id of the row is unique, so that a row that a killed process left behind is not mistaken for this one.
 */
export async function sendHeartbeat(run: HeartbeatRun, signal: AbortSignal): Promise<ProbeReply> {
  const { clock } = run.writer;
  const started = clock.now();
  const rowId = `b${Math.round(started.wall)}-${Math.round(started.mono * 1000)}`;
  const phases: Timings = {};
  const loaded = await withDeadline(clock, run.timeout, (own) => load(run, rowId, own), signal);
  phases.load = clock.now().mono - started.mono;
  const left = run.timeout - phases.load;
  const visibility = loaded.ok
    ? await withDeadline(clock, left, (own) => readAll(run, { rowId, started }, own), signal)
    : [];
  if (loaded.ok) phases.visible = Math.max(0, ...visibility.map(({ after }) => after ?? run.timeout));
  const ended = clock.now();
  const deleted = await withDeadline(clock, heartbeatCleanup, (own) => remove(run, rowId, own));
  phases.delete = clock.now().mono - ended.mono;
  const measured = { duration: ended.mono - started.mono, endedAt: ended.wall };
  return { outcome: outcomeOf(loaded, visibility, deleted), ...measured, phases, visibility };
}

function outcomeOf(loaded: Step, visibility: readonly RowVisibility[], deleted: Step): ProbeReply['outcome'] {
  if (!loaded.ok) return loaded;
  const missing = visibility.filter(({ after }) => after === undefined).map(({ node }) => node);
  return missing.length > 0
    ? err(broken('not_visible', `the row did not become visible in time on ${missing.join(', ')}`))
    : deleted;
}

function broken(heartbeat: HeartbeatFailure, message: string): HeartbeatError {
  return { ...failure('body', message), heartbeat };
}

const counts = z.looseObject({
  statistics: z.looseObject({
    rejectLine: z.number().default(0),
    vertex: z.array(z.looseObject({ validObject: z.number().default(0) })).default([]),
  }),
});

/** Some versions report counts for each file; the row is loaded if one of them has it. */
const loadedSchema = z.array(counts);

async function load({ graph, timeout, writer }: HeartbeatRun, rowId: string, signal: AbortSignal): Promise<Step> {
  const text = `${rowId},${Math.round(writer.clock.now().wall)}\n`;
  const query = { timeout: String(Math.ceil(toSeconds(timeout))) };
  const json = await writer.json('loadHeartbeat', { segments: { graph }, query, text }, signal);
  if (!json.ok) return json;
  const files = loadedSchema.safeParse(json.value.results);
  const isLoaded =
    files.success && files.data.some(({ statistics }) => statistics.vertex.some(({ validObject }) => validObject > 0));
  if (isLoaded) return ok(undefined);
  return err(writer.withContext('loadHeartbeat', broken('rejected', 'the loading job loaded no row')));
}

interface SentRow {
  readonly rowId: string;
  readonly started: Instant;
}

function readAll(run: HeartbeatRun, row: SentRow, signal: AbortSignal): Promise<readonly RowVisibility[]> {
  return Promise.all(run.readers.map((reader) => readUntilVisible(run.graph, reader, row, signal)));
}

async function readUntilVisible(
  graph: string,
  { node, caller }: HeartbeatReader,
  { rowId, started }: SentRow,
  signal: AbortSignal,
): Promise<RowVisibility> {
  const { clock } = caller;
  while (!signal.aborted) {
    if (await isVisible(graph, caller, rowId, signal)) return { node, after: clock.now().mono - started.mono };
    const elapsed = clock.now().mono - started.mono;
    await clock.sleep(Math.min(mostPause, Math.max(leastPause, elapsed * pauseShare)), signal);
  }
  return { node, after: undefined };
}

const rowsSchema = z.array(z.looseObject({ v_id: z.string() }));

/** A server without the row reports an error; so does one that fails, which is then not visible there either. */
async function isVisible(graph: string, caller: Caller, rowId: string, signal: AbortSignal): Promise<boolean> {
  const json = await caller.json('readHeartbeat', { segments: { graph, rowId } }, signal);
  const rows = json.ok ? rowsSchema.safeParse(json.value.results) : undefined;
  return rows?.success === true && rows.data.some(({ v_id: id }) => id === rowId);
}

async function remove({ graph, writer }: HeartbeatRun, rowId: string, signal: AbortSignal): Promise<Step> {
  const json = await writer.json('deleteHeartbeat', { segments: { graph, rowId } }, signal);
  return json.ok ? ok(undefined) : err({ ...json.error, heartbeat: 'not_deleted' });
}
