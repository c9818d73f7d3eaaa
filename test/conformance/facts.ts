import type { CollectorCall } from '../../src/collect/collector.ts';
import type { GraphDb } from '../../src/graphdb/graph-db.ts';
import type { Ok } from '../../src/kernel/result.ts';
import type { InformantCategory } from '../../src/model/node.ts';
import type { SchemaList } from '../../src/model/schema.ts';
import type { Account, AccountList } from '../../src/model/users.ts';
import { processListOf } from '../support/fake-graphdb.ts';
import { informantPage } from '../support/informant-page.ts';

type GoodResult<Call extends CollectorCall> = Extract<Awaited<ReturnType<GraphDb[Call]>>, Ok<unknown>>['value'];

/** A good answer to every call that a collector can make. */
export type Facts = {
  readonly [Call in Exclude<CollectorCall, 'category'>]: GoodResult<Call>;
} & { readonly category: Readonly<Record<InformantCategory, GoodResult<'category'>>> };

/** Stands for a user's data: no label may ever hold it. */
export const canary = 'CANARY4711';

const identity = { graph: 'fraud', query: 'ring_scan', kind: 'installed' } as const;
const query = { ...identity, requestId: `${canary}.RESTPP_1_1.1790000000723.N`, grantedTimeout: 16_000, elapsed: 3385 };
const collected = { hostId: 'm1', collectedNs: '1790000000108230613', service: '' };
const directory = { host_id: 'm1', mount_point: '/data', path: '/data/gstore', path_name: 'Gstore' };
const host = { host_id: 'm1', service_name: '' };
const service = { host_id: 'm1', service_name: 'GPE' };

const loadingRun = {
  graph: 'fraud',
  job: 'load_accounts',
  id: `fraud.load_accounts.${canary}.all.1790000000000`,
  state: 'running',
  startedAt: 1_790_000_000_000,
  progress: 0.5,
  linesPerSecond: 2000,
  lines: { valid: 8, filtered: 1, rejected: 0, too_few_tokens: 1, invalid_json: 0, oversize_token: 0 },
} as const;

const account = {
  name: canary,
  isSuperuser: false,
  isDisabled: false,
  failedLogins: 2,
  grants: [{ privilege: 'DELETE_DATA', graph: 'fraud' }],
} as const;

function accountList(...accounts: readonly Account[]): AccountList {
  return { accounts, gains: { failedLogins: 3, superusers: 1, privileges: { DROP_ALL: 1 } } };
}

/** A small cluster at work: each declared family has something to show. */
export const busyCluster: Facts = {
  rebuildGraph: 1500,
  removeExpiredTokens: 20,
  graphs: ['fraud', 'risk'],
  ping: true,
  echo: true,
  versions: [{ component: 'gpe', version: '4.2.1', commit: 'a1b2' }],
  informantMetrics: {
    ...informantPage('svc_', {
      cpu_usage: [
        [host, '8.5'],
        [service, '3.1'],
      ],
      cpu_available: [[host, '91.5']],
      cpu_logical_cores_total: [[host, '16']],
      memory_usage: [
        [host, '24107'],
        [service, '682'],
      ],
      memory_available: [[host, '40211']],
      memory_total: [[host, '64318']],
      diskspace_usage: [[directory, '912.5']],
      diskspace_free: [[directory, '81234.4921875']],
      disk_inode_used: [[directory, '500']],
      disk_inode_free: [[directory, '6.1e+06']],
      disk_read_bytes: [[directory, '88012']],
      disk_write_bytes: [[directory, '140776.5']],
      disk_read_count: [[directory, '2103440']],
      disk_write_count: [[directory, '4820113']],
      disk_read_time: [[directory, '1.5']],
      disk_write_time: [[directory, '2.75']],
      disk_io_time: [[directory, '3.25']],
      network_connections: [[{ host_id: 'm1' }, '211']],
      network_traffic: [
        [{ direction: 'incoming', host_id: 'm1' }, '2.28e+10'],
        [{ direction: 'outgoing', host_id: 'm1' }, '1.1e+10'],
      ],
      service_status: [[{ service_name: 'GPE', partition: '1', replica: '1' }, '6']],
      qps: [[{ endpoint: '/query/fraud/ring_scan', ...service }, '0.7']],
    }),
    withheld: [{ family: 'svc_requests_total', reason: 'negative', samples: 1 }],
  },
  category: {
    'cpu-memory': [
      { ...collected, cpuPercent: 8.5, memoryMb: 24107 },
      { ...collected, service: 'GPE', cpuPercent: 3.1, memoryMb: 682 },
      { ...collected, service: 'GPE', cpuPercent: 3.2, memoryMb: 683 },
    ],
    diskspace: [
      { ...collected, disk: { pathName: 'Gstore', path: '/data', mountPoint: '/', usedMb: 912.5, freeMb: 81234 } },
      { ...collected, disk: { pathName: 'Log', path: '/log', mountPoint: '/', usedMb: 12, freeMb: 81233 } },
    ],
    network: [{ ...collected, network: { connections: 89, incoming: '1654215', outgoing: '1466486' } }],
    qps: [{ ...collected, service: 'RESTPP' }],
  },
  dataPoints: [{ ...collected, service: 'GPE', cpuPercent: 3.1, memoryMb: 682 }],
  serviceStatus: ['Online', 'Hibernating', 'StatusUnchanged'].map((status, at) => ({
    service: 'GPE',
    partition: '1',
    replica: String(at + 1),
    status,
    process: 'Running',
    eventId: canary,
    timestampNs: '1790000000119463773',
  })),
  statistics: ['/query/fraud/ring_scan', '/statistics', `/query/fraud/find?account=${canary}`].map((path) => ({
    graph: 'fraud',
    method: 'GET',
    path,
    completed: 41,
    timeouts: 2,
    perSecond: 0.68,
    average: 812,
    minimum: 14,
    maximum: 9120,
    percentiles: Array.from({ length: 100 }, (_, at) => at * 10),
  })),
  processListAll: processListOf([query, { ...query, requestId: `${canary}2`, kind: 'interpreted', query: canary }]),
  processList: [query],
  delayedList: [{ ...identity, partialId: canary, elapsed: 2023 }],
  detachedQueries: { graph: 'fraud', running: [query], ended: { success: 4, timeout: 1, aborted: 0, unknown: 0 } },
  queueStatus: {
    queues: [{ engine: 'GPE_1_1', queue: 'AdHoc', running: 1, delayed: 2, runningLimit: 50, delayedLimit: 20 }],
    isComplete: true,
  },
  license: { expiresAtSeconds: 1_801_353_600, daysRemaining: 71 },
  endpoints: [
    { name: 'GET /query/fraud/ring_scan', kind: 'dynamic', graph: 'fraud', parts: [`${canary} STRING`] },
    { name: 'GET /echo', kind: 'builtin', graph: '', parts: [] },
  ],
  graphSchema: {
    graph: 'fraud',
    attributes: 3,
    lists: [schemaListOf('vertex_type', `fraud/${canary}`), schemaListOf('index', `fraud/${canary}`)],
  },
  globalSchemaJobs: schemaListOf('schema_change_job', canary),
  schemaVersion: { graph: 'fraud', version: 3 },
  graphSize: {
    graph: 'fraud',
    vertices: [{ type: 'Account', count: 5 }],
    edges: [{ type: 'owns', count: 7 }],
  },
  queryDefinitions: [{ graph: 'fraud', name: canary, state: 'installed' }],
  loadingRuns: [loadingRun],
  dataSources: [{ name: canary, type: 'S3', graph: '', parts: ['type S3'], configuration: canary }],
  cardinality: {
    graph: 'fraud',
    vertices: [{ type: 'Account', count: 4 }],
    edges: [{ type: 'owns', count: 6 }],
  },
  vectorStatus: { graph: 'fraud', rebuilding: 1 },
  userFunctions: {
    digests: [{ code: 'ExprFunctions', digest: 'a1b2' }],
    items: [{ list: 'library', name: canary, parts: [canary] }],
    counts: { library: 1, tuples: 0 },
  },
  statements: { statements: [{ name: 'nightly_export', state: 'running' }], fileProblems: 1 },
  users: accountList(account),
  userGroups: accountList(account),
  roles: { builtin_global: 3, builtin_local: 5, user_defined: 1 },
  scimUsers: 1,
  scimGroups: 1,
  dataConsistency: [
    {
      check: 'data_consistency',
      graph: '',
      partition: '1',
      engine: '',
      passed: true,
      unsynced: 0,
      durationMillis: 90_500,
      endedAt: 1_790_000_000_000,
    },
  ],
  deletedVertices: [
    { check: 'deleted_vertex', graph: '', partition: '', engine: 'GPE_1_1', passed: false, unsynced: 3 },
  ],
};

/** A cluster that answers everything and has nothing. */
export const idleCluster: Facts = {
  rebuildGraph: 1500,
  removeExpiredTokens: 20,
  graphs: [],
  ping: true,
  echo: true,
  versions: [],
  informantMetrics: { families: [], withheld: [], rejected: 0, unconfirmed: 0, prefix: undefined },
  category: { 'cpu-memory': [], diskspace: [], network: [], qps: [] },
  dataPoints: [],
  serviceStatus: [],
  statistics: [],
  processListAll: processListOf([]),
  processList: [],
  delayedList: [],
  detachedQueries: { graph: 'fraud', running: [], ended: { success: 0, timeout: 0, aborted: 0, unknown: 0 } },
  queueStatus: { queues: [], isComplete: true },
  license: {},
  endpoints: [],
  graphSchema: { graph: 'fraud', attributes: 0, lists: [] },
  globalSchemaJobs: { object: 'schema_change_job', count: 0, items: [] },
  schemaVersion: { graph: 'fraud', version: 0 },
  graphSize: { graph: 'fraud', vertices: [], edges: [] },
  queryDefinitions: [],
  loadingRuns: [],
  dataSources: [],
  cardinality: { graph: 'fraud', vertices: [], edges: [] },
  vectorStatus: { graph: 'fraud', rebuilding: 0 },
  userFunctions: { digests: [], items: [], counts: {} },
  statements: { statements: [], fileProblems: undefined },
  users: accountList(),
  userGroups: accountList(),
  roles: { builtin_global: 0, builtin_local: 0, user_defined: 0 },
  scimUsers: 0,
  scimGroups: 0,
  dataConsistency: [],
  deletedVertices: [],
};

/** The busy cluster with `text` for every word that the server could choose. */
export function withText(text: string): Facts {
  const labels = { host_id: text, service_name: text, mount_point: text, path: text, path_name: text, direction: text };
  const families = busyCluster.informantMetrics.families.map((family) => family.name.replace('svc_', ''));
  const ageless = { graph: text, query: text, requestId: text };
  const verdict = { graph: text, partition: text, engine: text, passed: true, unsynced: 0 };
  return {
    ...busyCluster,
    graphs: [text],
    versions: [{ component: text, version: text, commit: text }],
    informantMetrics: informantPage('svc_', Object.fromEntries(families.map((name) => [name, [[labels, '1']]]))),
    category: {
      'cpu-memory': [{ hostId: text, collectedNs: text, service: text, cpuPercent: 1, memoryMb: 1 }],
      diskspace: [{ hostId: text, collectedNs: text, service: '', disk: directoryOf(text) }],
      network: [{ hostId: text, collectedNs: text, service: '', network: connectionsOf(text) }],
      qps: [{ hostId: text, collectedNs: text, service: text }],
    },
    serviceStatus: busyCluster.serviceStatus.map((state) => ({
      ...state,
      service: text,
      partition: text,
      replica: text,
      status: text,
      process: text,
      timestampNs: text,
    })),
    statistics: busyCluster.statistics.map((row) => ({ ...row, graph: text, method: text, path: text })),
    processListAll: processListOf([{ ...ageless, kind: 'installed' }]),
    processList: [{ ...ageless, kind: 'builtin' }],
    delayedList: [{ graph: text, query: text, kind: 'installed', partialId: text, elapsed: 1 }],
    detachedQueries: { ...busyCluster.detachedQueries, graph: text, running: [{ ...ageless, kind: 'installed' }] },
    queueStatus: {
      queues: busyCluster.queueStatus.queues.map((row) => ({ ...row, engine: text, queue: text })),
      isComplete: true,
    },
    endpoints: busyCluster.endpoints.map((item) => ({ ...item, name: text, graph: text, parts: [text] })),
    graphSchema: { graph: text, attributes: 1, lists: [schemaListOf('edge_type', text)] },
    globalSchemaJobs: schemaListOf('schema_change_job', text),
    schemaVersion: { graph: text, version: 1 },
    graphSize: { graph: text, vertices: [{ type: text, count: 1 }], edges: [{ type: text, count: 1 }] },
    queryDefinitions: [{ graph: text, name: text, state: 'draft' }],
    loadingRuns: [{ ...loadingRun, graph: text, job: text, id: text }],
    dataSources: [{ name: text, type: text, graph: text, parts: [text], configuration: text }],
    cardinality: { graph: text, vertices: [{ type: text, count: 1 }], edges: [{ type: text, count: 1 }] },
    vectorStatus: { graph: text, rebuilding: 1 },
    userFunctions: {
      ...busyCluster.userFunctions,
      items: [{ list: 'tuples', name: text, parts: [text] }],
    },
    users: accountList({ ...account, name: text, grants: [{ privilege: 'DROP_ALL', graph: text }] }),
    userGroups: accountList({ ...account, name: text }),
    dataConsistency: [{ ...verdict, check: 'data_consistency' }],
    deletedVertices: [{ ...verdict, check: 'deleted_vertex' }],
  };
}

function schemaListOf(object: SchemaList['object'], name: string): SchemaList {
  return { object, count: 1, items: [{ object, name, parts: [name] }] };
}

function directoryOf(text: string) {
  return { pathName: text, path: text, mountPoint: text, usedMb: 1, freeMb: 1 };
}

function connectionsOf(text: string) {
  return { connections: 1, incoming: text, outgoing: text };
}
