import { describe, expect, it } from 'vitest';
import type { AppPorts } from '../../src/app/app.ts';
import { assembleApp } from '../../src/app/assemble.ts';
import { whyNotOperator } from '../../src/app/lifecycle-routes.ts';
import type { Config } from '../../src/config/config.ts';
import type { IncomingRequest } from '../../src/kernel/listener.ts';
import { err, ok } from '../../src/kernel/result.ts';
import type { Problem } from '../../src/model/problem.ts';
import { ask, clusterOf, configOf, testbed } from './fakes.ts';

const problem: Problem = { file: 'c.yml', line: 3, column: 5, path: 'listen', message: 'is wrong', hint: 'mend it' };

function setUp(more: Partial<Config> = {}, reload: AppPorts['reload'] = async () => ok(undefined)) {
  let reloads = 0;
  const counted: AppPorts['reload'] = () => {
    reloads += 1;
    return reload();
  };
  const bed = testbed({ reload: counted });
  const app = assembleApp(configOf([clusterOf('prod', ['m1'])], more), bed.ports, bed.parts);
  const post = (request: Partial<IncomingRequest> = {}) =>
    ask(app.handler, '/-/reload', { method: 'POST', ...request });
  return { ...bed, app, post, reloads: () => reloads };
}

describe('POST /-/reload', () => {
  it('reloads for a caller on this machine while authentication is off', async () => {
    const { post, reloads } = setUp();
    const { status, body } = await post();
    expect([status, body]).toEqual([200, '{"reloaded":true}\n']);
    expect(reloads()).toBe(1);
  });

  it('tells the problems of a bad configuration', async () => {
    const { post } = setUp({}, async () => err([problem]));
    const { status, headers, body } = await post();
    expect(status).toBe(422);
    expect(headers['content-type']).toContain('application/problem+json');
    expect(JSON.parse(body).problems).toEqual([problem]);
  });

  it('is refused from afar, and to users who are no operators', async () => {
    const { post, reloads } = setUp({ operators: ['alice'] });
    expect((await post({ remoteAddress: '10.0.0.9' })).status).toBe(403);
    const refused = await post({ user: 'scraper' });
    expect(refused.status).toBe(403);
    expect(JSON.parse(refused.body).detail).toContain("'scraper' is not listed in operators");
    expect(reloads()).toBe(0);
    expect((await post({ user: 'alice', remoteAddress: '10.0.0.9' })).status).toBe(200);
  });

  it('is not a GET', async () => {
    const { app, reloads } = setUp();
    const { status, headers } = await ask(app.handler, '/-/reload');
    expect([status, headers.allow]).toEqual([405, 'POST']);
    expect(reloads()).toBe(0);
  });
});

describe('who may act', () => {
  const base: Partial<IncomingRequest> = { headers: {}, remoteAddress: '127.0.0.1' };
  it.each([
    ['loopback', {}, true],
    ['loopback of another number', { remoteAddress: '127.8.9.1' }, true],
    ['loopback of IPv6', { remoteAddress: '::1' }, true],
    ['mapped loopback', { remoteAddress: '::ffff:127.0.0.1' }, true],
    ['a neighbour', { remoteAddress: '192.168.0.7' }, false],
    ['an address that only looks like loopback', { remoteAddress: '127.0.0.1.example.org' }, false],
    ['an unknown address', { remoteAddress: '' }, false],
    ['an operator from afar', { user: 'alice', remoteAddress: '192.168.0.7' }, true],
    ['somebody else on this machine', { user: 'bob' }, false],
    ['a page of another site', { headers: { 'sec-fetch-site': 'cross-site' } }, false],
    ['a page of a neighbour site', { headers: { 'sec-fetch-site': 'same-site' } }, false],
    ['our own page', { headers: { 'sec-fetch-site': 'same-origin' } }, true],
    ['a person at the address bar', { headers: { 'sec-fetch-site': 'none' } }, true],
    ['another origin', { headers: { host: 'localhost:9916', origin: 'http://evil.example' } }, false],
    ['an origin that hides', { headers: { host: 'localhost:9916', origin: 'null' } }, false],
    ['an origin of another port', { headers: { host: 'localhost:9916', origin: 'http://localhost:80' } }, false],
    ['our own origin', { headers: { host: 'LOCALHOST:9916', origin: 'http://localhost:9916' } }, true],
    ['our external origin', { headers: { host: '127.0.0.1:9916', origin: 'https://warden.example.org' } }, true],
    ['another name of this machine', { headers: { host: 'evil.example:9916' } }, false],
    ['this machine by its number', { headers: { host: '127.0.0.1:9916' } }, true],
    ['this machine by IPv6', { headers: { host: '[::1]:9916' } }, true],
    ['a host that is none', { headers: { host: '[' } }, false],
    ['a proxy on this machine', { headers: { 'x-forwarded-for': '127.0.0.1' } }, false],
    ['a proxy of another kind', { headers: { forwarded: 'for=127.0.0.1' } }, false],
    ['an operator behind a proxy', { user: 'alice', headers: { via: '1.1 proxy', host: 'warden.example.org' } }, true],
    ['an operator on a foreign page', { user: 'alice', headers: { origin: 'https://evil.example' } }, false],
  ])('%s: %o', (_, more, may) => {
    const request = { ...base, ...more } as IncomingRequest;
    const config = { operators: ['alice'], externalUrl: 'https://warden.example.org/ops' };
    expect(whyNotOperator(request, config) === undefined).toBe(may);
  });
});

describe('health and readiness', () => {
  it('are never behind authentication, under whatever prefix a reload brings', async () => {
    const { app } = setUp({ externalUrl: 'https://example.org/old' });
    const open = (paths: readonly string[]) => paths.filter((path) => app.isPublic(path));
    const paths = ['/-/healthy', '/-/ready', '/metrics', '/-/reload'];
    expect(open(paths.flatMap((path) => [path, `/old${path}`]))).toEqual(['/old/-/healthy', '/old/-/ready']);
    await app.reconfigure(configOf([], { externalUrl: 'https://example.org/new' }));
    expect(open(['/new/-/healthy', '/old/-/healthy'])).toEqual(['/new/-/healthy']);
    await app.stop();
  });

  it('is healthy before it starts, while nodes fail, and after the end', async () => {
    const { app, clock, world } = setUp();
    world.set('health', 'm1', 'ignores its abort');
    expect((await ask(app.handler, '/-/healthy')).status).toBe(200);
    await app.start();
    await clock.advance(300_000);
    expect((await ask(app.handler, '/-/healthy')).status).toBe(200);
    const stopping = app.stop();
    await clock.advance(1000);
    await stopping;
  });

  it('is not healthy when beats are overdue for long', async () => {
    const bed = testbed();
    const page = bed.parts.createPage(configOf([]).limits);
    const jammed = { ...page, put: page.put.bind(page), expire: () => undefined, remove: () => undefined };
    let isJammed = false;
    const parts = {
      ...bed.parts,
      createPage: () => ({
        ...jammed,
        metrics: page.metrics.bind(page),
        body: page.body.bind(page),
        put: (...given: Parameters<typeof page.put>) =>
          isJammed ? new Promise<never>(() => undefined) : page.put(...given),
      }),
    };
    const app = assembleApp(configOf([clusterOf('prod', ['m1'])]), bed.ports, parts);
    await app.start();
    await bed.clock.advance(2000);
    isJammed = true;
    await bed.clock.advance(60_000);
    const { status, body } = await ask(app.handler, '/-/healthy');
    expect(status).toBe(503);
    expect(body).toContain('stuck');
  });

  it('is ready once the first round is over', async () => {
    const { app, clock } = setUp();
    expect((await ask(app.handler, '/-/ready')).status).toBe(503);
    await app.start();
    await clock.advance(2000);
    expect((await ask(app.handler, '/-/ready')).body).toBe('ready\n');
    await app.stop();
  });
});
