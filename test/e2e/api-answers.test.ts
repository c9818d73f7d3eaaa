import { Validator } from '@seriousme/openapi-schema-validator';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { err } from '../../src/kernel/result.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import type { ApiChecker } from '../support/api-checker.ts';
import { eventually } from '../support/child.ts';
import { FailingStore } from '../support/failing-store.ts';
import { send } from '../support/http.ts';
import type { InProcessDaemon } from '../support/in-process-daemon.ts';
import {
  AdjustedClock,
  type ApiDaemon,
  abort,
  historyPaths,
  incidentOf,
  pageFileStatuses,
  probeTooOften,
  resumeStatuses,
  sendJson,
  startApiDaemon,
  subscribeTooOften,
  why,
} from './api-daemon.ts';

const crossSite = { 'sec-fetch-site': 'cross-site' };
const silence = { matchers: ['node="m1"'], author: 'alice', reason: 'new disks', duration: '2h' };

/** Lists that need no preparation. */
const lists =
  'replicas clusters collectors services transitions availability checks checks/runs probes endpoints graphs loading-jobs query-definitions alerts notifications silences guard/decisions guard/audit'.split(
    ' ',
  );

const readStatusPage = async (): Promise<undefined> => undefined;
/** Checkers of all daemons of this file. */
const checkers: ApiChecker[] = [];

describe('API answers', () => {
  let scene: ApiDaemon;
  let daemon: InProcessDaemon;
  let api: ApiChecker;
  let query: string;

  const post = (target: string, body?: unknown, headers?: Readonly<Record<string, string>>) =>
    sendJson(api, target, body, headers);

  beforeAll(async () => {
    scene = await startApiDaemon();
    ({ daemon, api, query } = scene);
    checkers.push(api);
  });

  afterAll(() => scene.stop());

  it('have a valid OpenAPI document', async () => {
    const { text } = await api.send('/api/v1/openapi.json');
    expect(await new Validator().validate(JSON.parse(text))).toMatchObject({ valid: true });
  });

  it.each([
    '/',
    '/metrics',
    '/docs/metrics',
    '/docs/runbook',
    '/probe?target=prod',
    '/-/healthy',
    '/-/ready',
    '/api/v1/guard',
    ...lists.map((list) => `/api/v1/${list}`),
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

  it.each(['/probe?target=other', '/api/v1/queries?limit=0', ...lists.map((list) => `/api/v1/${list}?limit=0`)])(
    '%s returns a problem document',
    async (target) => {
      expect((await api.send(target)).status).toBe(400);
    },
  );

  it('reject a cross-site request for a probe that writes', async () => {
    expect((await api.send('/probe?module=heartbeat&target=prod', { headers: crossSite })).status).toBe(403);
  });

  it('matches the document for files of the status page', async () => {
    expect(await pageFileStatuses(api)).toEqual([200, 404]);
  });

  it('match the document for operator actions', async () => {
    const { id } = JSON.parse((await post('/api/v1/silences', silence)).text);
    expect((await api.send('/api/v1/silences')).text).toContain(id);
    expect((await api.send(`/api/v1/silences/${id}`, { method: 'DELETE' })).status).toBe(200);
    expect((await api.send(`/api/v1/silences/${id}`, { method: 'DELETE' })).status).toBe(404);
    expect((await post('/api/v1/silences/preview', silence)).status).toBe(200);
    expect((await post('/api/v1/guard/pause')).status).toBe(200);
    expect(await resumeStatuses(api)).toEqual([200, 200, 404, 400]);
    expect((await post('/-/reload')).status).toBe(200);
    expect((await post('/api/v1/checks/run', { cluster: 'prod' })).status).toBe(200);
    expect((await post('/api/v1/checks/run', { cluster: 'prod' })).status).toBe(429);
    expect((await post('/api/v1/checks/run', { cluster: 'other' })).status).toBe(404);
    const { items } = JSON.parse((await api.send('/api/v1/services')).text);
    const { cluster, service, partition, replica } = items[0];
    expect((await post('/api/v1/services/forget', { cluster, service, partition, replica })).status).toBe(200);
    expect((await post('/api/v1/services/forget', { cluster, service: 'NONE' })).status).toBe(404);
  });

  it('match the document for the explanation of a query', async () => {
    const reply = await api.send(why(query));
    expect(reply.status).toBe(200);
    expect(JSON.parse(reply.text)).toMatchObject({ id: query, listing: 'listed', aborts: [] });
    expect((await api.send(why('all'))).status).toBe(400);
    expect((await api.send(why(query).replace('/m1/', '/m9/'))).status).toBe(404);
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

  it('match the document for incidents', async () => {
    const incident = await incidentOf(scene, 'firing');
    const object = `/api/v1/incidents/${incident}`;
    const status = async (target: string, body?: unknown, headers = {}): Promise<number> =>
      (await post(target, body, headers)).status;
    expect((await api.send(`/incidents/${incident}`)).status).toBe(200);
    expect((await api.send(object)).status).toBe(200);
    expect((await api.send(`${object}0`)).status).toBe(404);
    const actions = [`${object}/acknowledge`, `${object}/unacknowledge`];
    expect(await status(`${object}/unacknowledge`)).toBe(409);
    for (const target of actions) {
      expect(await status(target, undefined, crossSite)).toBe(403);
      expect(await status(target.replace(incident, 'none'), {})).toBe(404);
    }
    expect(await status(`${object}/acknowledge`, { author: 7 })).toBe(400);
    expect(await status(`${object}/acknowledge`, {})).toBe(200);
    expect(await status(`${object}/unacknowledge`)).toBe(200);
    expect(await status(`${object}/acknowledge`, {})).toBe(200);
    expect(await incidentOf(scene, 'resolved')).toBe(incident);
    for (const target of actions) expect(await status(target, {})).toBe(409);
  });

  it('match the document for requests that are refused', async () => {
    const paths = ['guard/breakers/reset', 'silences', 'silences/preview', 'services/forget', 'checks/run'];
    const invalid = paths.map((path) => `/api/v1/${path}`);
    for (const target of ['/-/reload', '/api/v1/guard/pause', '/api/v1/guard/resume', ...invalid]) {
      expect((await post(target, {}, crossSite)).status).toBe(403);
    }
    expect((await api.send('/api/v1/silences/x', { method: 'DELETE', headers: crossSite })).status).toBe(403);
    for (const target of invalid) expect((await post(target, {})).status).toBe(400);
    const breaker = { cluster: 'prod', breaker: 'no_relief runaway' };
    expect((await post('/api/v1/guard/breakers/reset', breaker)).status).toBe(404);
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

describe('API answers about failures', () => {
  const store = new FailingStore();
  const breakers = ['no_relief runaway', 'no_relief other'];
  const problem = { file: 'graphwarden.yml', line: 1, column: 1, path: 'clusters', message: 'must not be empty' };
  const clock = new AdjustedClock();
  let scene: ApiDaemon;
  let daemon: InProcessDaemon;
  let api: ApiChecker;
  let query: string;

  const post = async (target: string, body?: unknown): Promise<number> => (await sendJson(api, target, body)).status;
  const get = async (target: string): Promise<number> => (await api.send(target)).status;

  beforeAll(async () => {
    const at = systemClock.now().wall;
    const rows = breakers.map((name) => ({ cluster: 'prod', kind: 'breaker', name, value: '', at }));
    await store.commit(rows.map((put) => ({ table: 'guard_standing', put })));
    scene = await startApiDaemon({ store, clock, reload: async () => err([problem]), readStatusPage });
    ({ daemon, api, query } = scene);
    checkers.push(api);
  });

  afterAll(() => scene.stop());

  it('match the document if the guard refuses an abort', async () => {
    const listed = async () => (await api.send('/api/v1/queries')).text.includes(query);
    await eventually('the list contains the query', listed);
    expect(await post('/api/v1/guard/pause')).toBe(200);
    expect(await post(abort(query), { reason: 'test' })).toBe(409);
    expect(await post('/api/v1/guard/resume')).toBe(200);
  });

  it('match the document if too many requests of a client are in progress, or take too long', async () => {
    for (const target of historyPaths(query)) {
      const { promise, resolve } = Promise.withResolvers<void>();
      [store.held, clock.readsTimeOut] = [promise, true];
      const replies = await Promise.all(Array.from({ length: 10 }, () => get(target)));
      expect(new Set(replies), target).toEqual(new Set([429, 504]));
      clock.readsTimeOut = false;
      resolve();
      await eventually('the reads end', async () => (await get(target)) === 200);
    }
    expect(await probeTooOften(scene)).toEqual(new Set([200, 429]));
    expect(await subscribeTooOften(scene)).toEqual(new Set([200, 429]));
  });

  it('match the document if a configuration is rejected', async () => {
    expect(await post('/-/reload')).toBe(422);
  });

  it('match the document if a circuit breaker is reset', async () => {
    expect(await post('/api/v1/guard/breakers/reset', { cluster: 'prod', breaker: breakers[0] })).toBe(200);
  });

  it('match the document if the state database fails', async () => {
    const { id } = JSON.parse((await sendJson(api, '/api/v1/silences', silence)).text);
    const incident = await incidentOf(scene, 'firing');
    const { items } = JSON.parse((await api.send('/api/v1/services')).text);
    const { cluster, service, partition, replica } = items[0];
    store.isFull = true;
    for (const target of historyPaths(query)) expect(await get(target)).toBe(503);
    await eventually(
      'the guard does not abort without an audit log',
      async () => (await post(abort(query), { reason: 'test' })) === 503,
    );
    expect(await post('/api/v1/silences', silence)).toBe(503);
    for (const action of ['acknowledge', 'unacknowledge']) {
      expect(await post(`/api/v1/incidents/${incident}/${action}`, {})).toBe(503);
    }
    expect((await api.send(`/api/v1/silences/${id}`, { method: 'DELETE' })).status).toBe(503);
    expect(await post('/api/v1/services/forget', { cluster, service, partition, replica })).toBe(503);
    expect(await post('/api/v1/guard/breakers/reset', { cluster: 'prod', breaker: breakers[1] })).toBe(503);
    expect(await post('/api/v1/checks/run', { cluster: 'prod' })).toBe(503);
    expect(await post('/api/v1/guard/pause')).toBe(503);
    expect(await post('/api/v1/guard/resume')).toBe(409);
    store.isFull = false;
  });

  it('match the document if the status page is not built, or polls are overdue', async () => {
    for (const path of ['/', '/docs/runbook', '/assets/index.js', '/incidents/a-1']) expect(await get(path)).toBe(503);
    clock.skipped = 3_600_000;
    expect(await get('/-/healthy')).toBe(503);
    clock.skipped = 0;
  });

  it('match the document while the process stops', async () => {
    await daemon.app.stop();
    expect(await get('/-/ready')).toBe(503);
    expect(await get('/api/v1/events')).toBe(503);
  });
});

it('API answers are checked for each documented status of each route', () => {
  const [first = [], ...others] = checkers.map(({ unchecked }) => unchecked);
  expect(checkers).toHaveLength(2);
  // Another replica that may have the incident does not answer.
  const ofReplicas = ['GET /api/v1/incidents/{id} 503'];
  const unchecked = first.filter((answer) => others.every((answers) => answers.includes(answer)));
  expect(unchecked).toEqual(ofReplicas);
});
