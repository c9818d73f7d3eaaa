import type { GraphDb, ProcessList } from '../../src/graphdb/graph-db.ts';
import { type Failure, type FailureReason, failure } from '../../src/kernel/failure.ts';
import { type Err, err } from '../../src/kernel/result.ts';
import type { ProbeReply } from '../../src/model/probe.ts';

/** Calls with an argument: a graph or a category. */
const keyedCallNames = [
  'cardinality',
  'category',
  'detachedQueries',
  'graphSchema',
  'graphSize',
  'loadingRuns',
  'processList',
  'queryDefinitions',
  'rebuildGraph',
  'schemaVersion',
  'statistics',
  'vectorStatus',
] as const;
type KeyedCall = (typeof keyedCallNames)[number];
type PlainCall = Exclude<keyof GraphDb, KeyedCall | 'cluster' | 'node' | 'probe'>;
/** Reply to one call; with `hangs`, the call waits until it is aborted, as with a server that does not respond. */
type Reply<Call extends KeyedCall | PlainCall> = Awaited<ReturnType<GraphDb[Call]>> | 'hangs';

/** Expected calls of a test with their replies. Each must be made exactly once, and no other. */
export type GraphDbScript = {
  readonly [Call in PlainCall]?: Reply<Call>;
} & {
  readonly [Call in KeyedCall]?: Readonly<Record<string, Reply<Call>>>;
} & { readonly probe?: ProbeReply };

/** Fake node that follows a script. */
export interface FakeGraphDb extends GraphDb {
  /** The calls so far, in order: `ping`, `statistics fraud`. */
  readonly calls: readonly string[];
  /** Throws unless every scripted reply was requested. */
  finish(): void;
}

/** Process list with these queries, whose raw body is empty. */
export function processListOf(queries: ProcessList['queries']): ProcessList {
  const at = { wall: 0, mono: 0 };
  return { queries, raw: { body: {}, address: '', connection: '', started: at, received: at } };
}

/** Returns a failure as the result of a call. */
export function failed(reason: FailureReason, message: string = reason): Err<Failure> {
  return err(failure(reason, message));
}

/** Creates a node that follows `script`: an unexpected or repeated call throws, and `finish` throws for an unused reply. */
export function fakeGraphDb(script: GraphDbScript): FakeGraphDb {
  const calls: string[] = [];
  const left = new Set(questionsOf(script));

  function answer<Answer>(
    question: string,
    reply: Answer | 'hangs' | undefined,
    signal: AbortSignal,
  ): Promise<Answer | Err<Failure>> {
    calls.push(question);
    if (reply === undefined || !left.delete(question)) throw new Error(`unexpected question: ${question}`);
    return reply === 'hangs' || signal.aborted ? aborted(signal) : Promise.resolve(reply);
  }

  return {
    cluster: 'prod',
    node: 'm1',
    calls,
    graphs: (signal) => answer('graphs', script.graphs, signal),
    ping: (signal) => answer('ping', script.ping, signal),
    echo: (signal) => answer('echo', script.echo, signal),
    versions: (signal) => answer('versions', script.versions, signal),
    restppVersion: (signal) => answer('restppVersion', script.restppVersion, signal),
    gsqlVersion: (signal) => answer('gsqlVersion', script.gsqlVersion, signal),
    informantMetrics: (signal) => answer('informantMetrics', script.informantMetrics, signal),
    category: (category, signal) => answer(`category ${category}`, script.category?.[category], signal),
    dataPoints: (signal) => answer('dataPoints', script.dataPoints, signal),
    serviceStatus: (signal) => answer('serviceStatus', script.serviceStatus, signal),
    statistics: (graph, signal) => answer(`statistics ${graph}`, script.statistics?.[graph], signal),
    processListAll: (signal) => answer('processListAll', script.processListAll, signal),
    processList: (graph, signal) => answer(`processList ${graph}`, script.processList?.[graph], signal),
    detachedQueries: (graph, signal) => answer(`detachedQueries ${graph}`, script.detachedQueries?.[graph], signal),
    delayedList: (signal) => answer('delayedList', script.delayedList, signal),
    queueStatus: (signal) => answer('queueStatus', script.queueStatus, signal),
    license: (signal) => answer('license', script.license, signal),
    endpoints: (signal) => answer('endpoints', script.endpoints, signal),
    graphSchema: (graph, signal) => answer(`graphSchema ${graph}`, script.graphSchema?.[graph], signal),
    globalSchemaJobs: (signal) => answer('globalSchemaJobs', script.globalSchemaJobs, signal),
    schemaVersion: (graph, signal) => answer(`schemaVersion ${graph}`, script.schemaVersion?.[graph], signal),
    graphSize: (graph, signal) => answer(`graphSize ${graph}`, script.graphSize?.[graph], signal),
    queryDefinitions: (graph, signal) => answer(`queryDefinitions ${graph}`, script.queryDefinitions?.[graph], signal),
    runQuery: (_, signal) => answer('runQuery', script.runQuery, signal),
    async probe() {
      calls.push('probe');
      if (script.probe === undefined || !left.delete('probe')) throw new Error('unexpected question: probe');
      return script.probe;
    },
    rebuildGraph: (graph, signal) => answer(`rebuildGraph ${graph}`, script.rebuildGraph?.[graph], signal),
    removeExpiredTokens: (signal) => answer('removeExpiredTokens', script.removeExpiredTokens, signal),
    loadingRuns: (graph, signal) => answer(`loadingRuns ${graph}`, script.loadingRuns?.[graph], signal),
    dataSources: (signal) => answer('dataSources', script.dataSources, signal),
    vectorStatus: (graph, signal) => answer(`vectorStatus ${graph}`, script.vectorStatus?.[graph], signal),
    userFunctions: (signal) => answer('userFunctions', script.userFunctions, signal),
    cardinality: (graph, signal) => answer(`cardinality ${graph}`, script.cardinality?.[graph], signal),
    statements: (signal) => answer('statements', script.statements, signal),
    users: (signal) => answer('users', script.users, signal),
    userGroups: (signal) => answer('userGroups', script.userGroups, signal),
    roles: (signal) => answer('roles', script.roles, signal),
    scimUsers: (signal) => answer('scimUsers', script.scimUsers, signal),
    scimGroups: (signal) => answer('scimGroups', script.scimGroups, signal),
    dataConsistency: (signal) => answer('dataConsistency', script.dataConsistency, signal),
    deletedVertices: (signal) => answer('deletedVertices', script.deletedVertices, signal),
    finish() {
      if (left.size > 0) throw new Error(`never requested: ${[...left].join(', ')}`);
    },
  };
}

function questionsOf(script: GraphDbScript): readonly string[] {
  return Object.entries(script).flatMap(([call, reply]) =>
    keyedCalls.has(call) ? Object.keys(reply).map((key) => `${call} ${key}`) : [call],
  );
}

const keyedCalls: ReadonlySet<string> = new Set(keyedCallNames);

function aborted(signal: AbortSignal): Promise<Err<Failure>> {
  const timeout = failed('timeout', 'the call was aborted');
  if (signal.aborted) return Promise.resolve(timeout);
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(timeout), { once: true }));
}
