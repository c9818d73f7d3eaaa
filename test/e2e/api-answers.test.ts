import { Validator } from '@seriousme/openapi-schema-validator';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts';
import { ApiChecker } from '../support/api-checker.ts';
import { eventually } from '../support/child.ts';
import { send } from '../support/http.ts';
import { type InProcessDaemon, startInProcessDaemon } from '../support/in-process-daemon.ts';

const crossSite = { 'sec-fetch-site': 'cross-site' };
const silence = { matchers: ['node="m1"'], author: 'alice', reason: 'new disks', duration: '2h' };
const guard = { mode: 'observe', policies: [{ name: 'runaway', when: { age: '> 1h', granted_timeout: '> 2h' } }] };

/** Answers that need a store that fails, a process that is stuck, or a guard that refuses. */
const notProvoked = / (?:409|422|503)$/;

describe('API answers', { timeout: 150_000 }, () => {
  let simulator: Simulator;
  let daemon: InProcessDaemon;
  let api: ApiChecker;
  let query: string;

  const post = (target: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) =>
    api.send(target, { method: 'POST', headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });

  beforeAll(async () => {
    simulator = await startSimulator({ nodes: 2 }, { listen, clock: systemClock });
    const [first, second] = simulator.nodes;
    if (first === undefined || second === undefined) throw new Error('no nodes');
    const order = { graph: 'fraud', runsFor: 300_000, timeout: 600_000, parameters: '' };
    query = simulator.control.startQuery({ ...order, node: first.name, query: 'ring_scan' })?.requestId ?? '';
    const nodes = [
      { name: 'm1', url: first.url, instance: first.instance },
      { name: 'm2', url: second.url },
    ];
    const collectors = { queries: { interval: '1s', timeout: '1s' } };
    daemon = await startInProcessDaemon({ clusters: [{ name: 'prod', nodes }], collectors, guard });
    api = await ApiChecker.open(daemon.url);
  });

  afterAll(async () => {
    await daemon.stop();
    await simulator.close();
  });

  it('have a valid OpenAPI document', async () => {
    const { text } = await api.send('/api/v1/openapi.json');
    expect(await new Validator().validate(JSON.parse(text))).toMatchObject({ valid: true });
  });

  it.each([
    '/',
    '/metrics',
    '/docs/metrics',
    '/probe?target=prod',
    '/-/healthy',
    '/-/ready',
    '/api/v1/guard',
    '/api/v1/clusters',
    '/api/v1/collectors',
    '/api/v1/services',
    '/api/v1/transitions',
    '/api/v1/availability',
    '/api/v1/checks',
    '/api/v1/alerts',
    '/api/v1/silences',
    '/api/v1/guard/decisions',
    '/api/v1/guard/audit',
  ])('%s matches the document', async (target) => {
    expect((await api.send(target)).status).toBe(200);
  });

  it('lists queries as the document declares them', async () => {
    const listed = await eventually('the list contains the query', async () => {
      const { items } = z
        .object({ items: z.array(z.object({ id: z.string(), cluster: z.string(), query: z.string() })) })
        .parse(JSON.parse((await api.send('/api/v1/queries')).text));
      return items.find(({ id }) => id === query) ?? false;
    });
    expect(listed).toEqual({ id: query, cluster: 'prod', query: 'ring_scan' });
  });

  it.each([
    '/?refresh=0',
    '/probe?target=other',
    ...['clusters', 'collectors', 'services', 'transitions', 'availability', 'checks', 'queries'].map(
      (list) => `/api/v1/${list}?limit=0`,
    ),
    ...['alerts', 'silences', 'guard/decisions', 'guard/audit'].map((list) => `/api/v1/${list}?limit=0`),
  ])('%s is a problem', async (target) => {
    expect((await api.send(target)).status).toBe(400);
  });

  it('match the document for operator actions', async () => {
    expect((await post('/api/v1/silences/preview', silence)).status).toBe(200);
    const { id } = JSON.parse((await post('/api/v1/silences', silence)).text);
    expect((await api.send('/api/v1/silences')).text).toContain(id);
    expect((await api.send(`/api/v1/silences/${id}`, { method: 'DELETE' })).status).toBe(200);
    expect((await api.send(`/api/v1/silences/${id}`, { method: 'DELETE' })).status).toBe(404);
    expect((await post('/api/v1/guard/pause')).status).toBe(200);
    expect((await post('/api/v1/guard/resume')).status).toBe(200);
    expect((await post('/-/reload')).status).toBe(200);
    const { items } = JSON.parse((await api.send('/api/v1/services')).text);
    const { cluster, service, partition, replica } = items[0];
    expect((await post('/api/v1/services/forget', { cluster, service, partition, replica })).status).toBe(200);
    expect((await post('/api/v1/services/forget', { cluster, service: 'NONE' })).status).toBe(404);
  });

  it('match the document for a manual abort and its event', async () => {
    const left = new AbortController();
    const stream = await request(`${daemon.url}/api/v1/events`, { signal: left.signal });
    api.check('GET', '/api/v1/events', {
      status: stream.statusCode,
      headers: { 'content-type': String(stream.headers['content-type']) },
      bytes: new Uint8Array(),
      text: '',
    });
    const target = `/api/v1/clusters/prod/nodes/m1/queries/${encodeURIComponent(query)}/abort`;
    expect((await post(target, { reason: 'test' })).status).toBe(200);
    let text = '';
    for await (const chunk of stream.body) {
      text += String(chunk);
      if (/event: decision\ndata: .*\n\n/.test(text)) break;
    }
    left.abort();
    const data = /event: decision\ndata: (.*)\n/.exec(text)?.[1] ?? '';
    api.checkEvent('/api/v1/events', 'decision', JSON.parse(data));
    expect((await api.send('/api/v1/guard/decisions')).text).toContain(query);
    expect((await api.send('/api/v1/guard/audit')).text).toContain(query);
    expect((await post(target, {})).status).toBe(400);
    expect((await post(target, { reason: 'test' }, crossSite)).status).toBe(403);
    expect((await post(target.replace('/m1/', '/m9/'), { reason: 'test' })).status).toBe(404);
  });

  it('match the document for requests that are refused', async () => {
    const silencePaths = ['/api/v1/silences', '/api/v1/silences/preview'];
    const actions = ['/-/reload', '/api/v1/guard/pause', '/api/v1/guard/resume', '/api/v1/guard/breakers/reset'];
    for (const target of [...actions, ...silencePaths, '/api/v1/services/forget']) {
      expect((await post(target, {}, crossSite)).status).toBe(403);
    }
    expect((await api.send('/api/v1/silences/x', { method: 'DELETE', headers: crossSite })).status).toBe(403);
    for (const target of ['/api/v1/guard/breakers/reset', ...silencePaths, '/api/v1/services/forget']) {
      expect((await post(target, {})).status).toBe(400);
    }
    const breaker = { cluster: 'prod', breaker: 'no_relief runaway' };
    expect((await post('/api/v1/guard/breakers/reset', breaker)).status).toBe(404);
  });

  it('are all checked', () => {
    const reset = 'POST /api/v1/guard/breakers/reset 200';
    expect(api.unchecked.filter((answer) => !notProvoked.test(answer) && answer !== reset)).toEqual([]);
  });

  it('fail the check if a field is missing, unknown or of another type', async () => {
    const reply = await send(`${daemon.url}/api/v1/guard`);
    const answer = JSON.parse(reply.text);
    const check = (change: object) => () =>
      api.check('GET', '/api/v1/guard', { ...reply, text: JSON.stringify({ ...answer, ...change }) });
    expect(check({})).not.toThrow();
    expect(check({ paused: undefined })).toThrow("must have required property 'paused'");
    expect(check({ more: 1 })).toThrow('must NOT have additional properties');
    expect(check({ mode: 'sometimes' })).toThrow('must be equal to one of the allowed values');
    expect(() => api.check('GET', '/api/v1/guard', { ...reply, status: 500 })).toThrow('is not in the document');
  });
});
