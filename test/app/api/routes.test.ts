import { describe, expect, it } from 'vitest';
import { jsonReply } from '../../../src/app/api/reply.ts';
import { createHandler, isPublicPath, type Route, routePrefix } from '../../../src/app/api/routes.ts';
import { sendRequest } from '../fakes.ts';

const thing: Route = {
  method: 'GET',
  path: '/thing',
  about: 'A thing.',
  response: { type: 'application/json' },
  handle: async ({ query }) => jsonReply({ asked: query.get('q') }),
};
const act: Route = { ...thing, method: 'POST', path: '/act', handle: async () => jsonReply({ done: true }) };
const root: Route = { ...thing, path: '/', handle: async () => jsonReply({ root: true }) };

const handler = createHandler([root, thing, act], () => '');
const prefixed = createHandler([root, thing, act], () => '/warden');

describe('request', () => {
  it.each([
    ['GET', '/thing?q=1', 200],
    ['HEAD', '/thing', 200],
    ['POST', '/act', 200],
    ['GET', '/', 200],
    ['GET', '/nothing', 404],
    ['GET', '/thing/', 404],
    ['GET', '/THING', 404],
    ['GET', '//thing', 404],
    ['POST', '/thing', 405],
    ['DELETE', '/thing', 405],
    ['GET', '/act', 405],
    ['HEAD', '/act', 405],
    ['OPTIONS', '/act', 405],
  ])('%s %s gives the status %i', async (method, target, status) => {
    const path = target.split('?')[0] ?? '';
    expect((await sendRequest(handler, '/', { method, path })).status).toBe(status);
  });

  it('gets the allowed methods', async () => {
    expect((await sendRequest(handler, '/act')).headers.allow).toBe('POST');
    expect((await sendRequest(handler, '/thing', { method: 'PUT' })).headers.allow).toBe('GET, HEAD');
  });

  it('that fails gets a problem', async () => {
    const { headers, body } = await sendRequest(handler, '/nothing');
    expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(JSON.parse(body)).toMatchObject({ type: 'about:blank', title: 'Not found', status: 404 });
  });

  it.each(['/thing', '/nothing', '/act'])('of %s gets security headers', async (target) => {
    const { headers } = await sendRequest(handler, target);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['cache-control']).toBe('no-store');
  });
});

describe('path template', () => {
  const segmentsSeen: unknown[] = [];
  const one: Route = {
    ...thing,
    method: 'DELETE',
    path: '/things/{id}/parts/{part}',
    handle: async (_, segments) => {
      segmentsSeen.push(segments);
      return jsonReply({});
    },
  };
  const open = createHandler([thing, one], () => '/warden');

  it.each([
    ['/warden/things/7/parts/a b', 200],
    ['/warden/things//parts/a', 404],
    ['/warden/things/7/parts', 404],
    ['/warden/things/7/parts/a/b', 404],
    ['/warden/thing/7/parts/a', 404],
    ['/things/7/parts/a', 404],
  ])('is %s: %i', async (path, status) => {
    expect((await sendRequest(open, '/', { method: 'DELETE', path })).status).toBe(status);
  });

  it('returns the segments', async () => {
    await sendRequest(open, '/', { method: 'DELETE', path: '/warden/things/7/parts/toString' });
    expect(segmentsSeen.at(-1)).toEqual({ id: '7', part: 'toString' });
  });

  it('allows its own method', async () => {
    const { status, headers } = await sendRequest(open, '/', { path: '/warden/things/7/parts/a' });
    expect([status, headers.allow]).toEqual([405, 'DELETE']);
  });
});

describe('public path', () => {
  const routes = [root, thing, { ...act, isPublic: true as const }];

  it.each([
    ['/act', '', true],
    ['/thing', '', false],
    ['/', '', false],
    ['/nothing', '', false],
    ['/warden/act', '/warden', true],
    ['/act', '/warden', false],
    ['/warden/thing', '/warden', false],
  ])('%s under the prefix %j: %s', (path, prefix, expected) => {
    expect(isPublicPath(routes, path, prefix)).toBe(expected);
  });
});

describe('the prefix', () => {
  it.each([
    [undefined, ''],
    ['https://warden.example.org', ''],
    ['https://warden.example.org/', ''],
    ['https://example.org/warden', '/warden'],
    ['https://example.org/a/b/', '/a/b'],
    ['https://example.org/a%20b', '/a b'],
    ['https://example.org/a%2Fb', '/a/b'],
  ])('of %s is %s', (externalUrl, prefix) => {
    expect(routePrefix(externalUrl)).toBe(prefix);
  });

  it.each([
    ['/warden/thing', 200],
    ['/warden', 200],
    ['/warden/', 200],
    ['/thing', 404],
    ['/wardenthing', 404],
    ['/', 404],
  ])('belongs to every path: %s gives %i', async (target, status) => {
    expect((await sendRequest(prefixed, target)).status).toBe(status);
  });
});
