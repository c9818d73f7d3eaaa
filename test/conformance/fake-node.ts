import type { CollectorCall } from '../../src/collect/collector.ts';
import type { GraphDb } from '../../src/graphdb/graph-db.ts';
import type { Failure, FailureReason } from '../../src/kernel/failure.ts';
import { mapResult, ok, type Result } from '../../src/kernel/result.ts';
import { failed } from '../support/fake-graphdb.ts';
import type { Facts } from './facts.ts';

/** What becomes of a call instead of its facts, if anything. */
export type CallFailure = (call: CollectorCall) => FailureReason | 'hangs' | undefined;

/** How a node treats each call. */
export interface NodeBehavior {
  readonly facts: Facts;
  readonly failure?: CallFailure;
}

/** A node that answers any call any number of times, and remembers which. */
export function fakeNode({
  facts,
  failure,
}: NodeBehavior): GraphDb & { readonly madeCalls: ReadonlySet<CollectorCall> } {
  const madeCalls = new Set<CollectorCall>();

  async function answer<Call extends CollectorCall>(
    call: Call,
    signal: AbortSignal,
  ): Promise<Result<Facts[Call], Failure>> {
    madeCalls.add(call);
    const wrong = failure?.(call);
    if (wrong === 'hangs') await aborted(signal);
    if (signal.aborted) return failed('timeout', `${call} was aborted`);
    return wrong === undefined || wrong === 'hangs' ? ok(facts[call]) : failed(wrong, `${call}: ${wrong}`);
  }

  return {
    cluster: 'prod',
    node: 'm1',
    madeCalls,
    graphs: (signal) => answer('graphs', signal),
    ping: (signal) => answer('ping', signal),
    echo: (signal) => answer('echo', signal),
    versions: (signal) => answer('versions', signal),
    restppVersion: (signal) => answer('versions', signal),
    gsqlVersion: (signal) => answer('versions', signal),
    informantMetrics: (signal) => answer('informantMetrics', signal),
    category: async (category, signal) => mapResult(await answer('category', signal), (rows) => rows[category]),
    dataPoints: (signal) => answer('dataPoints', signal),
    serviceStatus: (signal) => answer('serviceStatus', signal),
    statistics: (_, signal) => answer('statistics', signal),
    processListAll: (signal) => answer('processListAll', signal),
    processList: (_, signal) => answer('processList', signal),
    detachedQueries: (_, signal) => answer('detachedQueries', signal),
    delayedList: (signal) => answer('delayedList', signal),
    queueStatus: (signal) => answer('queueStatus', signal),
    license: (signal) => answer('license', signal),
    endpoints: (signal) => answer('endpoints', signal),
    graphSchema: (_, signal) => answer('graphSchema', signal),
    globalSchemaJobs: (signal) => answer('globalSchemaJobs', signal),
    schemaVersion: (_, signal) => answer('schemaVersion', signal),
    graphSize: (_, signal) => answer('graphSize', signal),
    queryDefinitions: (_, signal) => answer('queryDefinitions', signal),
    runQuery: async () => failed('unsupported', 'runQuery: no query is configured'),
    probe: async () => ({
      outcome: failed('unsupported', 'no probe'),
      duration: 0,
      endedAt: 0,
      phases: {},
      visibility: [],
    }),
    rebuildGraph: (_, signal) => answer('rebuildGraph', signal),
    removeExpiredTokens: (signal) => answer('removeExpiredTokens', signal),
    loadingRuns: (_, signal) => answer('loadingRuns', signal),
    dataSources: (signal) => answer('dataSources', signal),
    vectorStatus: (_, signal) => answer('vectorStatus', signal),
    userFunctions: (signal) => answer('userFunctions', signal),
    cardinality: (_, signal) => answer('cardinality', signal),
    statements: (signal) => answer('statements', signal),
    users: (signal) => answer('users', signal),
    userGroups: (signal) => answer('userGroups', signal),
    roles: (signal) => answer('roles', signal),
    scimUsers: (signal) => answer('scimUsers', signal),
    scimGroups: (signal) => answer('scimGroups', signal),
    dataConsistency: (signal) => answer('dataConsistency', signal),
    deletedVertices: (signal) => answer('deletedVertices', signal),
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
