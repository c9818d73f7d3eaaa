import { describe, expect, it } from 'vitest';
import { send } from '../../support/http.ts';
import { type Cluster, withCluster } from '../test-world.ts';

/**
 * What real servers were seen to send, by member and type. A list holds the shape of its elements, a trailing
 * `?` marks what may be missing, and a member that is not here must not be sent.
 */
type Shape = string | readonly [Shape] | { readonly [member: string]: Shape };

const version = { edition: 'string', api: 'string', schema: 'number' };
const restpp = { version, error: 'boolean', message: 'string', code: 'string' };
const service = { ServiceName: 'string', 'Partition?': 'number', 'Replica?': 'number' };
const meta = { Targets: [service], EventId: 'hex', TimestampNS: 'nanoseconds', Source: service } as const;
const collected = { EventMeta: meta, HostID: 'string', CollectTimeStamps: 'nanoseconds' };
const running = { requestid: 'requestid', startTime: 'local', expirationTime: 'local', url: 'string' };
const record = {
  CompletedRequests: 'number',
  QPS: 'number',
  TimeoutRequests: 'number',
  AverageLatency: 'number',
  MaxLatency: 'number',
  MinLatency: 'number',
  LatencyPercentile: ['number'],
} as const;
const queue = { WorkloadQueueName: 'string', maxConcurrentQueries: 'number', maxDelayQueueSize: 'number' };
const instance = (queries: Shape): Shape => ({
  version,
  error: 'boolean',
  message: 'string',
  results: { '*': [{ ...queue, runningQueries: queries, delayQueries: queries }] },
});
const queues = (queries: Shape): Shape => ({ ...restpp, WorkloadQueueStatusByInstances: [instance(queries)] });
const verdict = { PassCheck: 'boolean', UnSyncList: ['object'] } as const;

const cases: readonly (readonly [path: string, shape: Shape, body?: unknown])[] = [
  ['/api/ping', { error: 'boolean', message: 'string', results: 'null' }],
  ['/restpp/echo', { error: 'boolean', message: 'string' }],
  ['/restpp/version', { error: 'string', message: 'string' }],
  [
    '/restpp/endpoints',
    { '*': { parameters: { '*': { default: 'string', max_count: 'number', min_count: 'number', type: 'string' } } } },
  ],
  ['/restpp/statistics/fraud?seconds=60&segments=10', { '*': record }],
  ['/restpp/statistics/fraud?seconds=61', restpp],
  ['/restpp/showprocesslist/fraud', { ...restpp, results: [running] }],
  ['/restpp/showprocesslistall', { ...restpp, results: [{ ...running, elapsedTime: 'number' }] }],
  [
    '/restpp/showdelayedlistall',
    {
      ...restpp,
      results: [{ requestidPartial: 'milliseconds', startTime: 'local', url: 'string', elapsedTime: 'number' }],
    },
  ],
  [
    '/restpp/query_status?requestid=all',
    { ...restpp, results: [{ ...running, elapsedTime: 'number', status: 'string' }] },
  ],
  ['/restpp/query_status?requestid=1', { ...restpp, results: ['object'], unknown_requestid: ['string'] }],
  ['/restpp/query_result?requestid=1', restpp],
  [
    '/restpp/showlicenseinfo',
    { error: 'boolean', message: 'string', results: [{ 'Expiration date': 'string', 'Days remaining': 'number' }] },
  ],
  [
    '/restpp/abortquery/social?requestid=1',
    { ...restpp, results: [{ aborted_queries: [{ requestid: 'requestid', url: 'string' }] }] },
  ],
  [
    '/restpp/data_consistency_check',
    {
      ...restpp,
      results: { GPESelfCheck: [{ Partition: 'number', ...verdict }], GPEGSECheck: [{ GPE: 'string', ...verdict }] },
    },
  ],
  ['/restpp/deleted_vertex_check', { ...restpp, results: [{ GPE: 'string', ...verdict }] }],
  ['/restpp/workload-manager/queuestatus', queues('number'), { mode: 'stats' }],
  ['/restpp/workload-manager/queuestatus', queues(['requestid']), { mode: 'verbose' }],
  [
    '/gsql/v1/schema/graphs',
    { graphs: [{ graphName: 'string', vertices: ['string'], edges: ['string'] }], error: 'boolean', message: 'string' },
  ],
  ['/restpp/nowhere', restpp],
  [
    '/informant/current-service-status',
    {
      ServiceStatusEvents: [
        {
          EventMeta: { ...meta, SpanId: 'string' },
          ServiceDescriptor: service,
          ServiceStatus: 'string',
          ProcessState: 'string',
        },
      ],
    },
    { ServiceDescriptors: [{ ServiceName: 'gpe' }, { ServiceName: 'EXE' }, { ServiceName: 'RESTPP' }] },
  ],
  [
    '/informant/metrics/get/cpu-memory',
    {
      CPUMemoryMetrics: [
        {
          ...collected,
          'ServiceDescriptor?': service,
          CPU: { 'CPUUsage?': 'number' },
          Memory: { 'MemoryUsageMB?': 'number' },
        },
      ],
    },
    { LatestNum: '1' },
  ],
  [
    '/informant/metrics/get/diskspace',
    {
      DiskMetrics: [
        {
          ...collected,
          Disk: {
            PathName: 'string',
            Path: 'string',
            MountPoint: 'string',
            'SizeMB?': 'number',
            'FreeSizeMB?': 'number',
          },
        },
      ],
    },
    {},
  ],
  [
    '/informant/metrics/get/network',
    {
      NetworkMetrics: [
        {
          ...collected,
          Network: { IP: 'string', TCPConnectionNum: 'number', IncomingBytesNum: 'digits', OutgoingBytesNum: 'digits' },
        },
      ],
    },
    {},
  ],
];

const texts: Readonly<Record<string, RegExp>> = {
  hex: /^[0-9a-f]{32}$/,
  nanoseconds: /^\d{19}$/,
  milliseconds: /^\d{13}$/,
  digits: /^\d+$/,
  local: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/,
  requestid: /^\d+\.RESTPP_\d+_\d+\.\d{13}\.N$/,
};

/** Where `value` differs from `shape`, as paths with a reason. */
function differences(value: unknown, shape: Shape, at = ''): readonly string[] {
  if (typeof shape === 'string')
    return differsInKind(value, shape) ? [`${at} is no ${shape}: ${JSON.stringify(value)}`] : [];
  if (isList(shape)) {
    if (!Array.isArray(value)) return [`${at} is no list`];
    return value.flatMap((item, index) => differences(item, shape[0], `${at}[${index}]`));
  }
  if (typeof value !== 'object' || value === null) return [`${at} is no object`];
  const members = new Map(Object.entries(value));
  const wrong = [...members].flatMap(([name, member]) => {
    const wanted = shape[name] ?? shape[`${name}?`] ?? shape['*'];
    return wanted === undefined ? [`${at}.${name} is too much`] : differences(member, wanted, `${at}.${name}`);
  });
  const missing = Object.keys(shape).filter((name) => name !== '*' && !name.endsWith('?') && !members.has(name));
  return [...wrong, ...missing.map((name) => `${at}.${name} is missing`)];
}

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape);
}

function differsInKind(value: unknown, kind: string): boolean {
  const pattern = texts[kind];
  if (pattern !== undefined) return typeof value !== 'string' || !pattern.test(value);
  return kind === 'null' ? value !== null : typeof value !== kind;
}

async function prepared({ simulator, clock }: Cluster): Promise<void> {
  const { control } = simulator;
  for (const detached of [true, false, false, false]) {
    control.startQuery({ node: 'm1', graph: 'fraud', query: 'ring_scan', runsFor: 60_000, timeout: 90_000, detached });
  }
  control.setUnsynced('deleted_vertex', 'GPE_1_1', 1);
  await clock.advance(1_000);
}

describe('the shape of', () => {
  it.each(cases.map(([path, shape, body]) => ({ path, shape, body })))('$path', async ({ path, shape, body }) => {
    await withCluster({ maxConcurrentQueries: 3 }, async (cluster) => {
      await prepared(cluster);
      const headers = { authorization: `Basic ${btoa('somebody:secret')}` };
      const method = body === undefined ? 'GET' : 'POST';
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const { text, headers: received } = await send(cluster.url(path), { method, headers, ...sent });
      expect(received['content-type']).toBe('application/json');
      // Raw line feeds in a string, as the server sends them.
      expect(differences(JSON.parse(text.replaceAll('\n', '\\n')), shape)).toEqual([]);
    });
  });

  it('is compared by types, with missing and additional members', () => {
    const shape: Shape = { a: 'number', 'b?': 'digits', c: ['string'] };
    expect(differences({ a: 1, c: ['x'] }, shape)).toEqual([]);
    expect(differences({ a: '1', b: 'x', c: [1], d: 0 }, shape)).toHaveLength(4);
    expect(differences({}, shape)).toEqual(['.a is missing', '.c is missing']);
  });
});
