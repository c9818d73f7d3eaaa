import { describe, expect, it } from 'vitest';
import { json } from '../../src/app/reply.ts';
import { createHandler, isPublicPath, type Route, routePrefix } from '../../src/app/routes.ts';
import { ask } from './fakes.ts';

const thing: Route = {
  method: 'GET',
  path: '/thing',
  about: 'A thing.',
  gives: { type: 'application/json' },
  handle: async ({ query }) => json({ asked: query.get('q') }),
};
const act: Route = { ...thing, method: 'POST', path: '/act', handle: async () => json({ done: true }) };
const root: Route = { ...thing, path: '/', handle: async () => json({ root: true }) };

const handler = createHandler([root, thing, act], () => '');
const prefixed = createHandler([root, thing, act], () => '/warden');

describe('a request', () => {
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
  ])('%s %s is answered with %i', async (method, target, status) => {
    const path = target.split('?')[0] ?? '';
    expect((await ask(handler, '/', { method, path })).status).toBe(status);
  });

  it('is told which methods there are', async () => {
    expect((await ask(handler, '/act')).headers.allow).toBe('POST');
    expect((await ask(handler, '/thing', { method: 'PUT' })).headers.allow).toBe('GET, HEAD');
  });

  it('that goes wrong is answered with a problem', async () => {
    const { headers, body } = await ask(handler, '/nothing');
    expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(JSON.parse(body)).toMatchObject({ type: 'about:blank', title: 'Not found', status: 404 });
  });

  it.each(['/thing', '/nothing', '/act'])('of %s is answered with headers that protect', async (target) => {
    const { headers } = await ask(handler, target);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['cache-control']).toBe('no-store');
  });
});

describe('a path with open places', () => {
  const told: unknown[] = [];
  const one: Route = {
    ...thing,
    method: 'DELETE',
    path: '/things/{id}/parts/{part}',
    handle: async (_, segments) => {
      told.push(segments);
      return json({});
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
    expect((await ask(open, '/', { method: 'DELETE', path })).status).toBe(status);
  });

  it('tells what stands there', async () => {
    await ask(open, '/', { method: 'DELETE', path: '/warden/things/7/parts/toString' });
    expect(told.at(-1)).toEqual({ id: '7', part: 'toString' });
  });

  it('answers to its own method', async () => {
    const { status, headers } = await ask(open, '/', { path: '/warden/things/7/parts/a' });
    expect([status, headers.allow]).toEqual([405, 'DELETE']);
  });
});

describe('what is never behind authentication', () => {
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
    expect((await ask(prefixed, target)).status).toBe(status);
  });
});
