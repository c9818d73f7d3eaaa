import { rawProcessListOf } from '../../collect/collector.ts';
import type { PollResult } from '../../collect/poll-runner.ts';
import { queries } from '../../collect/queries.ts';
import type { AbortReply } from '../../graphdb/abort-reply.ts';
import type { GuardInput } from '../../guard/decision/input.ts';
import type { AbortCommand } from '../../guard/decision/output.ts';
import { type GuardSettings, policiesForCluster } from '../../guard/policy.ts';
import { withDeadline } from '../../kernel/deadline.ts';
import { type EffectOwnership, mayAct, soleOwnership } from '../../kernel/ownership.ts';
import type { Clock, Millis } from '../../kernel/time.ts';
import { collectorKey } from '../../model/collector-key.ts';
import type { ClusterSettings, NodeSettings } from '../../model/settings.ts';
import type { ClusterPoller } from '../poll/cluster-poller.ts';
import type { CollectorFeed } from '../poll/collector-feed.ts';
import type { Scheduler } from '../poll/scheduler.ts';
import type { AbortTraces } from '../tracing/abort-traces.ts';

/** Access of the guard to the nodes of one cluster. */
export interface GuardNodeAccess {
  nodes(): readonly NodeSettings[];
  /** Requests the list of a node through its collector; false if no request was sent. */
  requestList(node: string, isUrgent: boolean): Promise<boolean>;
  /** Aborts one query. `mayWrite` is called synchronously before the request is written. */
  abort(order: AbortCommand, mayWrite: () => boolean, signal: AbortSignal): Promise<AbortReply>;
  /** Returns all known graphs of the cluster; undefined if no source lists them. */
  graphs(): Promise<readonly string[] | undefined>;
  /** Whether the credentials for aborts cannot be read. */
  lacksCredentials(): boolean;
}

interface NodeAccessPorts {
  readonly scheduler: Pick<Scheduler, 'runNow'>;
  readonly clock: Clock;
  /** Absent if tracing is off. */
  readonly aborts?: AbortTraces | undefined;
  /** Absent: this process owns all clusters. */
  readonly ownership?: EffectOwnership;
}

const graphsTimeout: Millis = 10_000;

/** Reply for a cluster that is not polled yet. */
export const notPolled: AbortReply = { kind: 'unsent', reason: 'the cluster is not polled' };

/** Reply if it is unknown whether an operator paused the guard. */
export const pauseUnknown: AbortReply = { kind: 'unsent', reason: 'the pause file could not be checked in time' };

/** Returns the access of the guard to the nodes of a cluster, through its poller. */
export function createNodeAccess(
  poller: Pick<ClusterPoller, 'settings' | 'nodes' | 'nodesDown'>,
  { scheduler, clock, aborts, ownership = soleOwnership }: NodeAccessPorts,
): GuardNodeAccess {
  const { name } = poller.settings;
  return {
    nodes: () => poller.nodes().map(({ settings }) => settings),
    requestList: (node, isUrgent) =>
      scheduler.runNow(collectorKey({ cluster: name, collector: queries.name, node }), isUrgent),
    async abort({ node, id, graph, connection }, isAllowed, signal) {
      const member = poller.nodes().find(({ settings }) => settings.name === node);
      if (member === undefined) return { kind: 'unsent', reason: 'the node was removed' };
      const trace = aborts?.begin(name, { node, id });
      // The lease comes first: an abort that another replica owns by now is not sent, and the decision stays open.
      const mayWrite = (): boolean => mayAct(ownership, [name]) && isAllowed();
      const order = { id, graph, connection, mayWrite, ...(trace && { onCall: trace.onCall }) };
      const reply = await member.link.abort(order, signal);
      trace?.finish(reply);
      return reply;
    },
    lacksCredentials: () => poller.nodes().some(({ link }) => link.lacksAbortCredentials()),
    async graphs() {
      const down = poller.nodesDown();
      const member = poller.nodes().find(({ settings }) => !down.has(settings.name));
      const answer = await withDeadline(clock, graphsTimeout, async (signal) => member?.link.db.graphs(signal));
      return answer?.ok === true ? answer.value : undefined;
    },
  };
}

/**
 * Returns whether the guard reserves two sockets to each node of a cluster for lists and aborts: the cluster has a
 * policy (an observing one counts), or a credential for aborts. The guard aborts nothing on other clusters.
 */
export function hasGuardSockets(
  { name, abortAuth }: Pick<ClusterSettings, 'name' | 'abortAuth'>,
  guard: Pick<GuardSettings, 'policies'>,
): boolean {
  return policiesForCluster(guard, name).length > 0 || abortAuth.kind !== 'none';
}

/** Returns the guard's input for a poll result: its process list, or the reason why there is none. */
export function toListInput(
  { node, definition }: CollectorFeed,
  { result, started, listTime }: PollResult,
): Extract<GuardInput, { readonly kind: 'listed' | 'unlisted' }> {
  const list = rawProcessListOf(definition, result);
  const known = { node, ...(listTime !== undefined && { listTime }) };
  if (list !== undefined) {
    const { body, connection, received } = list;
    return { kind: 'listed', ...known, body, connection, times: { started: list.started, received } };
  }
  if (result.ok || result.error.reason !== 'body') return { kind: 'unlisted', ...known, started };
  const skipReason = result.error.code === undefined ? 'malformed' : 'error';
  return { kind: 'unlisted', ...known, started, skipReason };
}
