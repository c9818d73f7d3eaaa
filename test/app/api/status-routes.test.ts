import { describe, expect, it } from 'vitest';
import { assembleApp } from '../../../src/app/assemble.ts';
import type { Config } from '../../../src/config/config.ts';
import { failure } from '../../../src/kernel/failure.ts';
import { err, ok } from '../../../src/kernel/result.ts';
import { clusterOf, configOf, sendRequest, testbed } from '../fakes.ts';

const base = configOf([clusterOf('prod', ['m1', 'm2'], { labels: { env: 'prod' } }), clusterOf('test', ['t1'])]);
const check = { ...(base.collectors.check ?? expect.fail()), enabled: true };
const config: Config = { ...base, collectors: { ...base.collectors, check } };

async function setUp() {
  const bed = testbed();
  const app = assembleApp(config, bed.ports, bed.parts);
  await app.start();
  const list = async (target: string): Promise<{ items: Record<string, unknown>[]; total: number }> => {
    const { status, headers, body } = await sendRequest(app.handler, target);
    expect(status).toBe(200);
    expect(headers['content-type']).toContain('application/json');
    return JSON.parse(body);
  };
  return { ...bed, app, list };
}

const seen = { since: '2026-09-22T04:53:21.000Z', sinceFirstPoll: true };

const fine = { reason: '', message: '', advice: '' };

function reported(name: string) {
  return { name, address: `http://${name}.test:14240`, sockets: 1 };
}

describe('GET /api/v1/clusters', () => {
  it('returns clusters and the state of their nodes', async () => {
    const { app, clock, list, fakeClusters } = await setUp();
    const before = await list('/api/v1/clusters?name=test');
    expect(before.items[0]?.nodes).toEqual([
      { ...reported('t1'), state: 'unknown', since: null, sinceFirstPoll: true, reachable: null, ...fine },
    ]);
    fakeClusters.set('health', 'm2', err(failure('unreachable', 'refused')));
    await clock.advance(2000);
    const { items, total } = await list('/api/v1/clusters');
    expect(total).toBe(2);
    expect(items[0]).toEqual({
      name: 'prod',
      labels: { env: 'prod' },
      nodes: [
        { ...reported('m1'), ...seen, state: 'up', reachable: true, ...fine },
        {
          ...reported('m2'),
          ...seen,
          state: 'down',
          reachable: false,
          reason: 'unreachable',
          message: 'refused',
          advice: expect.stringContaining('Check that the node runs'),
        },
      ],
      seriesDropped: [],
    });
    await app.stop();
  });
});

describe('GET /api/v1/collectors', () => {
  it('returns the state of each collector', async () => {
    const { app, clock, list, fakeClusters } = await setUp();
    fakeClusters.set('lists', 'm2', err(failure('auth', 'GET /restpp/showprocesslistall: 403', { status: 403 })));
    await clock.advance(2000);
    const { items, total } = await list('/api/v1/collectors?cluster=prod&state=failing');
    expect(total).toBe(1);
    expect(items[0]).toMatchObject({
      cluster: 'prod',
      node: 'm2',
      collector: 'lists',
      scope: 'node',
      state: 'failing',
      source: 'm2',
      reason: 'auth',
      message: 'GET /restpp/showprocesslistall: 403',
      lastSuccess: null,
      since: '2026-09-22T04:53:21.000Z',
      sourceSwitches: 0,
      lastPoll: '2026-09-22T04:53:21.000Z',
      durationSeconds: 0,
      intervalSeconds: 5,
      series: 0,
      failures: { auth: 1, timeout: 0 },
      skipped: {},
    });
    const good = await list('/api/v1/collectors?collector=load&cluster=prod');
    expect(good.items[0]).toMatchObject({ node: '', state: 'healthy', source: 'm1', reason: '', series: 2 });
    expect(good.items[0]?.lastSuccess).toBe('2026-09-22T04:53:21.000Z');
    await app.stop();
  });

  it.each([
    ['state=unknown', 12],
    ['node=m1', 2],
    ['scope=cluster', 6],
    ['collector=health&cluster=test', 1],
    ['reason=', 12],
    ['state=healthy', 0],
  ])('is filtered by %s', async (query, total) => {
    const { app, list } = await setUp();
    expect((await list(`/api/v1/collectors?${query}`)).total).toBe(total);
    await app.stop();
  });

  it('is paged, and rejects unknown parameters', async () => {
    const { app, list } = await setUp();
    const page = await list('/api/v1/collectors?limit=2&offset=1');
    expect(page.items).toHaveLength(2);
    expect((await sendRequest(app.handler, '/api/v1/collectors?limit=no')).status).toBe(400);
    expect((await sendRequest(app.handler, '/api/v1/collectors?colector=x')).status).toBe(400);
    await app.stop();
  });
});

describe('GET /api/v1/checks', () => {
  it('returns the latest results, also after a later run fails', async () => {
    const { app, clock, cron, list, fakeClusters } = await setUp();
    expect((await list('/api/v1/checks')).total).toBe(0);
    fakeClusters.set('check', 'm1', ok(0));
    cron.entries[0]?.run();
    await clock.advance(10);
    for (const node of ['m1', 'm2']) fakeClusters.set('check', node, err(failure('timeout', 'too slow')));
    cron.entries[0]?.run();
    await clock.advance(10);
    const { items } = await list('/api/v1/checks?cluster=prod&passed=false');
    expect(items).toEqual([
      {
        cluster: 'prod',
        check: 'data_consistency',
        graph: '',
        partition: '',
        engine: '',
        passed: false,
        unsyncedEntries: null,
        lastRun: '2026-09-22T04:53:20.000Z',
      },
    ]);
    await app.stop();
  });
});

describe('GET /api/v1/checks/runs', () => {
  it('returns the runs, the latest first, with the reason if one gave no result', async () => {
    const { app, clock, cron, list, fakeClusters } = await setUp();
    expect((await list('/api/v1/checks/runs')).total).toBe(0);
    fakeClusters.set('check', 'm1', ok(0));
    cron.entries[0]?.run();
    await clock.advance(10);
    for (const node of ['m1', 'm2']) fakeClusters.set('check', node, err(failure('timeout', 'too slow')));
    cron.entries[0]?.run();
    await clock.advance(10);
    const { items } = await list('/api/v1/checks/runs?cluster=prod');
    expect(items).toEqual([
      {
        cluster: 'prod',
        check: 'check',
        endedAt: '2026-09-22T04:53:20.010Z',
        durationSeconds: 0,
        verdict: 'no result',
        unsyncedEntries: null,
        message: 'too slow',
      },
      {
        cluster: 'prod',
        check: 'data_consistency',
        endedAt: '2026-09-22T04:53:20.000Z',
        durationSeconds: null,
        verdict: 'failed',
        unsyncedEntries: null,
        message: '',
      },
    ]);
    expect((await list('/api/v1/checks/runs?verdict=failed')).total).toBe(1);
    await app.stop();
  });
});

describe('GET /api/v1/openapi.json', () => {
  it('describes every route and no others', async () => {
    const { app } = await setUp();
    const { body } = await sendRequest(app.handler, '/api/v1/openapi.json');
    const document: { openapi: string; paths: Record<string, Record<string, unknown>> } = JSON.parse(body);
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths).toSorted()).toEqual([
      '/',
      '/-/healthy',
      '/-/ready',
      '/-/reload',
      '/api/v1/alerts',
      '/api/v1/availability',
      '/api/v1/checks',
      '/api/v1/checks/run',
      '/api/v1/checks/runs',
      '/api/v1/clusters',
      '/api/v1/clusters/{cluster}/nodes/{node}/queries/{id}/abort',
      '/api/v1/clusters/{cluster}/nodes/{node}/queries/{id}/why',
      '/api/v1/collectors',
      '/api/v1/endpoints',
      '/api/v1/events',
      '/api/v1/graphs',
      '/api/v1/guard',
      '/api/v1/guard/audit',
      '/api/v1/guard/breakers/reset',
      '/api/v1/guard/decisions',
      '/api/v1/guard/pause',
      '/api/v1/guard/resume',
      '/api/v1/incidents/{id}',
      '/api/v1/incidents/{id}/acknowledge',
      '/api/v1/incidents/{id}/unacknowledge',
      '/api/v1/loading-jobs',
      '/api/v1/notifications',
      '/api/v1/openapi.json',
      '/api/v1/probes',
      '/api/v1/queries',
      '/api/v1/query-definitions',
      '/api/v1/replicas',
      '/api/v1/services',
      '/api/v1/services/forget',
      '/api/v1/silences',
      '/api/v1/silences/preview',
      '/api/v1/silences/{id}',
      '/api/v1/transitions',
      '/assets/{file}',
      '/docs/metrics',
      '/docs/runbook',
      '/incidents/{id}',
      '/metrics',
      '/probe',
    ]);
    // A stream does not end: it has a test of its own.
    // No incident has the ID of the template; the status page is not built here.
    const { '/api/v1/events': _, ...others } = document.paths;
    for (const [path, operations] of Object.entries(others)) {
      const statuses = path.startsWith('/api/v1/') && path.includes('{id}') ? [404] : [200, 400, 503];
      for (const method of Object.keys(operations).filter((one) => one === 'get')) {
        expect(statuses).toContain((await sendRequest(app.handler, path, { method: method.toUpperCase() })).status);
      }
    }
    await app.stop();
  });
});
