import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { pageRoutes } from '../../../src/app/api/page-routes.ts';
import { createHandler } from '../../../src/app/api/routes.ts';
import type { ReadStatusPage } from '../../../src/kernel/system.ts';
import { sendRequest } from '../fakes.ts';

function file(name: string, type: string, text: string) {
  return { name, type, text, gzip: gzipSync(text).toString('base64') };
}

const page = '<meta name="graphwarden" content=""><script src="./assets/a.js"></script><a href="./metrics">m</a>';
const files = [
  file('index.html', 'text/html', page),
  file('assets/a.js', 'text/javascript; charset=utf-8', 'run();'),
  file('docs/runbook.html', 'text/html', '<link href="./assets/a.css"><h2 id="node_unreachable">'),
];

function handlerOf(read: ReadStatusPage, { prefix = '', notice = '' } = {}) {
  const routes = pageRoutes({ read, version: '1.2.3', notice, prefix: () => prefix });
  return createHandler(routes, () => prefix);
}

const built: ReadStatusPage = async () => JSON.stringify({ files });

describe('the routes of the status page', () => {
  it('send the document with the route prefix in every address', async () => {
    const { status, headers, body } = await sendRequest(handlerOf(built, { prefix: '/gw' }), '/gw/');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(body).toContain('src="/gw/assets/a.js"');
    expect(body).toContain('href="/gw/metrics"');
    expect(body).not.toContain('./');
  });

  it('send the document at the address of an incident, with the address in the API for browsers without JavaScript', async () => {
    const withNoscript = files.map((one) => ({ ...one, text: `${one.text}<noscript>No script.</noscript>` }));
    const handler = handlerOf(async () => JSON.stringify({ files: withNoscript }), { prefix: '/gw' });
    const { status, body } = await sendRequest(handler, '/gw/incidents/a1-3');
    expect(status).toBe(200);
    expect(body).toContain('src="/gw/assets/a.js"');
    expect(body).toContain('<noscript><p>This incident is in the API at <a href="/gw/api/v1/incidents/a1-3">');
    const hostile = await sendRequest(handler, `/gw/incidents/${encodeURIComponent('"><script>')}`);
    expect(hostile.body).not.toContain('"><script>');
    expect((await sendRequest(handler, '/gw/')).body).toContain('<noscript>No script.');
  });

  it('send the runbook with the same policy as the page', async () => {
    const { status, headers, body } = await sendRequest(handlerOf(built, { prefix: '/gw' }), '/gw/docs/runbook');
    expect([status, body]).toEqual([200, '<link href="/gw/assets/a.css"><h2 id="node_unreachable">']);
    expect(headers['content-security-policy']).not.toContain('unsafe');
  });

  it('escape the notice, so that it cannot add markup', async () => {
    const notice = `"><script>alert('x')</script>`;
    const { body } = await sendRequest(handlerOf(built, { notice }), '/');
    const [, content = ''] = /content="([^"]*)"/.exec(body) ?? [];
    expect(content).not.toMatch(/[<>']/);
    const characters: Readonly<Record<string, string>> = { quot: '"', lt: '<', gt: '>', amp: '&', '#39': "'" };
    const text = content.replace(/&([#\w]+);/g, (_, name: string) => characters[name] ?? expect.fail(name));
    expect(JSON.parse(text)).toEqual({ prefix: '', version: '1.2.3', notice, replicas: false });
  });

  it('allow no inline code, no outside resources and no frames', async () => {
    const { headers } = await sendRequest(handlerOf(built), '/');
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
  });

  it('send assets compressed if accepted, with cache headers', async () => {
    const plain = await sendRequest(handlerOf(built), '/assets/a.js');
    expect([plain.headers['content-encoding'], plain.body]).toEqual([undefined, 'run();']);
    const handler = handlerOf(built);
    const reply = await handler({
      method: 'GET',
      path: '/assets/a.js',
      query: new URLSearchParams(),
      headers: { 'accept-encoding': 'br, gzip' },
      remoteAddress: '127.0.0.1',
      disconnected: new AbortController().signal,
      text: async () => '',
    });
    expect(reply.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
    expect(reply.headers?.['cache-control']).toContain('immutable');
    expect(reply.body instanceof Uint8Array && gunzipSync(reply.body).toString()).toBe('run();');
  });

  it('answer 404 for other files, and never leave the page', async () => {
    const paths = ['/assets/b.js', '/assets/..%2findex.html', '/assets/index.html'];
    const replies = await Promise.all(paths.map((path) => sendRequest(handlerOf(built), path)));
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  it('answer 503 with the command that builds the page', async () => {
    const handler = handlerOf(async () => undefined);
    const replies = await Promise.all(['/', '/assets/a.js'].map((path) => sendRequest(handler, path)));
    expect(replies.map(({ status }) => status)).toEqual([503, 503]);
    expect(replies[0]?.body).toContain('npm run page');
  });
});
