import { withDeadline } from '../../kernel/deadline.ts';
import { failure } from '../../kernel/failure.ts';
import { err, ok } from '../../kernel/result.ts';
import type { Clock, Millis } from '../../kernel/time.ts';
import type { ProbePhase, ProbeReply, ProbeRequest } from '../../model/probe.ts';
import type { Caller } from '../caller.ts';
import type { CallListener, CompletedCall } from '../completed-call.ts';
import type { HeartbeatRows } from '../heartbeat-rows.ts';
import { type HeartbeatReader, sendHeartbeat } from './heartbeat.ts';
import { type RequestTask, requestOfTask } from './probe-requests.ts';

/** Connections of a probe: to its own node, and to all nodes for a heartbeat. */
export interface ProbeConnections {
  readonly clock: Clock;
  /** Returns a caller of the own node that reports its requests. */
  caller(onCall: CallListener): Caller;
  /** Nodes of the cluster, the own one included. */
  readers(): readonly HeartbeatReader[];
  /** Rows of the heartbeats of the cluster. */
  readonly rows: HeartbeatRows;
}

/** Sends the request of a probe and measures its phases. Never rejects. */
export async function runProbe(
  connections: ProbeConnections,
  request: ProbeRequest,
  signal: AbortSignal,
): Promise<ProbeReply> {
  const { graph, task, timeout } = request;
  if (task.kind !== 'write_heartbeat') return await sendTask(connections, { task, graph, timeout }, signal);
  const writer = connections.caller(() => undefined);
  const run = { graph, timeout, writer, readers: connections.readers() };
  return await connections.rows.withRow(graph, connections.clock.now(), (rowId) =>
    sendHeartbeat({ ...run, rowId }, signal),
  );
}

interface TaskRun {
  readonly task: RequestTask;
  readonly graph: string;
  readonly timeout: Millis;
}

async function sendTask(
  connections: ProbeConnections,
  { task, graph, timeout }: TaskRun,
  signal: AbortSignal,
): Promise<ProbeReply> {
  const calls: CompletedCall[] = [];
  const { name, input } = requestOfTask(task, { graph, timeout });
  const { clock } = connections;
  const own = connections.caller((call) => calls.push(call));
  const started = clock.now().mono;
  const json = await withDeadline(clock, timeout, (deadline) => own.json(name, input, deadline), signal);
  const ended = clock.now();
  const results = json.ok ? printedBy(json.value.results) : undefined;
  const outcome = !json.ok
    ? json
    : typeof results === 'object' && results !== null
      ? ok(results)
      : err(own.withContext(name, failure('body', 'the response contains no results')));
  const measured = { duration: ended.mono - started, endedAt: ended.wall };
  return { outcome, ...measured, phases: phasesOf(calls), visibility: [] };
}

/** Returns what a query prints; the GSQL server wraps it in an additional envelope. */
function printedBy(results: unknown): unknown {
  const isWrapped = typeof results === 'object' && results !== null && !Array.isArray(results) && 'results' in results;
  return isWrapped ? results.results : results;
}

function phasesOf(calls: readonly CompletedCall[]): ProbeReply['phases'] {
  const phases: Partial<Record<ProbePhase, Millis>> = { queue: 0 };
  for (const { name, started, ended, queued = 0 } of calls) {
    const phase = name === 'tokens' || name === 'requestToken' ? 'authentication' : 'response';
    phases.queue = (phases.queue ?? 0) + queued;
    phases[phase] = (phases[phase] ?? 0) + Math.max(0, ended.mono - started.mono - queued);
  }
  return phases;
}
