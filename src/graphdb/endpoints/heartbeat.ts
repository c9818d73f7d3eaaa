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
  readonly rowId: string;
  readonly timeout: Millis;
  readonly writer: Caller;
  readonly readers: readonly HeartbeatReader[];
}

/** Pause between reads of a node while the row is not visible: a share of the time since the write, between two limits. */
const minPause: Millis = 10;
const maxPause: Millis = 250;
const pauseShare = 0.02;

/** Maximum time for the deletion of the row, after the timeout of the probe. */
export const heartbeatCleanup: Millis = 5000;

interface SentRow {
  readonly started: Instant;
  /** Attribute of the row, unique for each run, ms since the epoch. */
  readonly writtenAt: number;
}

type Timings = Partial<Record<ProbePhase, Millis>>;
type Step = Result<unknown, HeartbeatError>;
type HeartbeatError = Failure & { readonly heartbeat?: HeartbeatFailure };

/**
 * Loads one row of the heartbeat type with `ack=all`, reads it on each node until all return it, and deletes it, also
 * after a failure. A row with the same id that an earlier run left behind has another time, and is replaced.
 */
export async function sendHeartbeat(run: HeartbeatRun, signal: AbortSignal): Promise<ProbeReply> {
  const { clock } = run.writer;
  const started = clock.now();
  const row = { started, writtenAt: Math.round(started.wall) };
  const phases: Timings = {};
  const loaded = await withDeadline(clock, run.timeout, (own) => load(run, row, own), signal);
  phases.load = clock.now().mono - started.mono;
  const left = run.timeout - phases.load;
  const visibility = loaded.ok ? await withDeadline(clock, left, (own) => readAll(run, row, own), signal) : [];
  if (loaded.ok) phases.visible = Math.max(0, ...visibility.map(({ after }) => after ?? run.timeout));
  const ended = clock.now();
  const deleted = await withDeadline(clock, heartbeatCleanup, (own) => remove(run, own));
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

async function load(run: HeartbeatRun, { writtenAt }: SentRow, signal: AbortSignal): Promise<Step> {
  const { graph, rowId, timeout, writer } = run;
  const text = `${rowId},${writtenAt}\n`;
  const query = { timeout: String(Math.ceil(toSeconds(timeout))) };
  const json = await writer.json('loadHeartbeat', { segments: { graph }, query, text }, signal);
  if (!json.ok) return json;
  const files = loadedSchema.safeParse(json.value.results);
  const isLoaded =
    files.success && files.data.some(({ statistics }) => statistics.vertex.some(({ validObject }) => validObject > 0));
  if (isLoaded) return ok(undefined);
  return err(writer.withContext('loadHeartbeat', broken('rejected', 'the loading job loaded no row')));
}

function readAll(run: HeartbeatRun, row: SentRow, signal: AbortSignal): Promise<readonly RowVisibility[]> {
  return Promise.all(run.readers.map((reader) => readUntilVisible(run, reader, row, signal)));
}

async function readUntilVisible(
  run: HeartbeatRun,
  { node, caller }: HeartbeatReader,
  { started, writtenAt }: SentRow,
  signal: AbortSignal,
): Promise<RowVisibility> {
  const { clock } = caller;
  while (!signal.aborted) {
    const seen = await readRow(run, caller, signal);
    if (seen === writtenAt) return { node, after: clock.now().mono - started.mono };
    const elapsed = clock.now().mono - started.mono;
    await clock.sleep(Math.min(maxPause, Math.max(minPause, elapsed * pauseShare)), signal);
  }
  return { node, after: undefined };
}

const rowsSchema = z.array(
  z.looseObject({ v_id: z.string(), attributes: z.looseObject({ written_at: z.coerce.number() }) }),
);

/** A server without the row reports an error; so does one that fails, on which the row is not visible either. */
async function readRow(
  { graph, rowId }: HeartbeatRun,
  caller: Caller,
  signal: AbortSignal,
): Promise<number | undefined> {
  const json = await caller.json('readHeartbeat', { segments: { graph, rowId } }, signal);
  const rows = json.ok ? rowsSchema.safeParse(json.value.results) : undefined;
  return rows?.data?.find(({ v_id: id }) => id === rowId)?.attributes.written_at;
}

async function remove({ graph, rowId, writer }: HeartbeatRun, signal: AbortSignal): Promise<Step> {
  const json = await writer.json('deleteHeartbeat', { segments: { graph, rowId } }, signal);
  return json.ok ? ok(undefined) : err({ ...json.error, heartbeat: 'not_deleted' });
}
