import { writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { hashSync } from 'bcryptjs';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { z } from 'zod';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import { startSimulator } from '../../src/simulator/simulator.ts';
import { type Daemon, startDaemon } from '../support/daemon.ts';
import { startHaproxy } from '../support/haproxy.ts';
import { type RequestOptions, readJson, sendUnchecked } from '../support/http.ts';
import { type AtEnd, temporaryFolder } from '../support/live-ports.ts';
import { startNginx } from '../support/nginx.ts';
import { startProgram } from '../support/program.ts';
import { sendRaw } from '../support/served-listener.ts';
import { startTcpRelay } from '../support/tcp-relay.ts';
import { findTool } from '../support/tools.ts';

const policy = { name: 'runaway', when: { age: '> 1h', granted_timeout: '> 2h' } };
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const openApi = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });

/** A daemon in a process of its own, over one simulated node with a query that runs. */
async function startDeployment(settings: Readonly<Record<string, unknown>> = {}, atEnd: AtEnd = onTestFinished) {
  const simulator = await startSimulator({ nodes: 1 }, { listen, clock: systemClock });
  atEnd(() => simulator.close());
  const [node = { name: '', url: '', instance: '' }] = simulator.nodes;
  const order = { node: node.name, graph: 'fraud', query: 'ring_scan', runsFor: 3_600_000, timeout: 7_200_000 };
  const query = simulator.control.startQuery({ ...order, parameters: '' })?.requestId ?? '';
  const nodes = [{ name: node.name, url: node.url, instance: node.instance }];
  const guard = { mode: 'observe', policies: [policy] };
  const daemon = await startDaemon(
    stringify({ listen: '127.0.0.1:0', clusters: [{ name: 'prod', nodes }], guard, ...settings }),
    atEnd,
  );
  const { paths } = openApi.parse(await readJson(`${daemon.url}/api/v1/openapi.json`, viaSocket(daemon)));
  return { daemon, simulator, query, node: node.name, paths };
}

type Deployment = Awaited<ReturnType<typeof startDeployment>>;

/** Every route with every method, as the daemon itself documents its routes. */
function everyRequest({ paths, query, node }: Deployment) {
  const values: Readonly<Record<string, string>> = { cluster: 'prod', node, id: query };
  return Object.entries(paths).flatMap(([path, operations]) =>
    methods.map((method) => ({
      method,
      path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? name),
      isAction: ['POST', 'DELETE'].includes(method) && Object.hasOwn(operations, method.toLowerCase()),
      isDeclared: Object.hasOwn(operations, method === 'HEAD' ? 'get' : method.toLowerCase()),
    })),
  );
}

const viaSocket = ({ folder }: Daemon): RequestOptions => ({ socketPath: join(folder, 'state', 'control.sock') });

/** Everything that an action would change. */
async function stateOf({ daemon, simulator }: Deployment) {
  const read = (path: string) => readJson(`http://localhost${path}`, viaSocket(daemon));
  const { text } = await sendUnchecked('http://localhost/metrics', viaSocket(daemon));
  const reload = /^graphwarden_config_last_reload_success_timestamp_seconds .*$/m.exec(text)?.[0];
  const { reasons: all } = z.object({ reasons: z.array(z.string()) }).parse(await read('/api/v1/guard'));
  // On a busy machine, the guard is paused while the check of the pause file takes too long.
  const reasons = all.filter((reason) => reason !== 'file');
  const guard = { paused: reasons.length > 0, reasons };
  const lists = await Promise.all(['/api/v1/silences', '/api/v1/guard/audit'].map(read));
  return { reload, guard, lists, aborts: simulator.aborts() };
}

const bodies: readonly string[] = [
  '{"reason":"x"}',
  '{"matchers":["severity=critical"],"duration":"1h","author":"x","reason":"x"}',
];

type Headers = Readonly<Record<string, string>>;

/** Sends every request, except GET requests of endless answers. Actions are refused with one of the statuses. */
async function sendAll(
  deployment: Deployment,
  base: string,
  headers: Headers,
  refused: readonly number[] = [401, 403],
) {
  const requests = everyRequest(deployment).filter(({ method, path }) => path !== '/api/v1/events' || method !== 'GET');
  expect(requests.filter(({ isAction }) => isAction).length).toBeGreaterThan(8);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (const { method, path, isAction, isDeclared } of requests) {
    for (const body of isAction ? bodies : ['']) {
      const content = { 'content-type': 'application/json', 'content-length': String(body.length) };
      const sent = { method, body, headers: { ...content, ...headers }, agent };
      const { status } = await sendUnchecked(base + path, sent);
      if (isAction) expect([method, path, status]).toEqual([method, path, expect.toBeOneOf(refused)]);
      else if (!isDeclared) expect([method, path, status]).toEqual([method, path, expect.toBeOneOf([...refused, 405])]);
    }
  }
  agent.destroy();
}

const claims = {
  'x-forwarded-user': 'alice',
  'x-remote-user': 'alice',
  'remote-user': 'alice',
  'x-forwarded-for': '127.0.0.1',
  'x-real-ip': '127.0.0.1',
  forwarded: 'for=127.0.0.1;host=localhost',
};

describe('a daemon without users', () => {
  let deployment: Deployment;
  const ends: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    deployment = await startDeployment({}, (end) => ends.unshift(end));
  });

  afterAll(async () => {
    for (const end of ends) await end();
  });

  it.each([
    ['without headers', {}],
    ['with headers of proxies', claims],
    ['with credentials that no file defines', { authorization: `Basic ${btoa('alice:secret')}` }],
  ])('rejects changes of an anonymous client on loopback %s', async (_, headers) => {
    const before = await stateOf(deployment);
    await sendAll(deployment, deployment.daemon.url, headers);
    expect(await stateOf(deployment)).toEqual(before);
  });

  it.skipIf(findTool('nginx') === undefined).each([
    ['a plain nginx', ''],
    ['an nginx that keeps the host name', 'proxy_set_header Host $host;'],
    ['an nginx that pretends to be a local client', 'proxy_set_header Host localhost; proxy_set_header Origin "";'],
  ])('rejects changes of an anonymous client through %s in front of loopback', async (_, location) => {
    const before = await stateOf(deployment);
    const proxy = await startNginx(deployment.daemon.url, location);
    expect((await sendUnchecked(`${proxy}/metrics`)).status).toBe(200);
    await sendAll(deployment, proxy, claims);
    expect(await stateOf(deployment)).toEqual(before);
  });

  it.skipIf(findTool('haproxy') === undefined).each([
    ['HAProxy', '', [401, 403]],
    ['HAProxy with the PROXY protocol, which the daemon does not support,', 'send-proxy', [400]],
  ])('rejects changes of an anonymous client through %s in front of loopback', async (_, server, refused) => {
    const before = await stateOf(deployment);
    await sendAll(deployment, await startHaproxy(deployment.daemon.url, server), claims, refused);
    expect(await stateOf(deployment)).toEqual(before);
  });

  it('rejects changes of an anonymous client through a forwarded port', async () => {
    const before = await stateOf(deployment);
    const { url } = await startTcpRelay(Number(new URL(deployment.daemon.url).port));
    await sendAll(deployment, url, claims);
    expect(await stateOf(deployment)).toEqual(before);
  });

  it('does not answer requests for another host name (DNS rebinding)', async () => {
    for (const path of ['/', '/metrics', '/api/v1/queries', '/api/v1/events', '/nowhere']) {
      for (const host of ['evil.example:9916', 'EVIL.example.', 'localhost.evil.example', '127.0.0.1.evil.example']) {
        const { status, text } = await sendUnchecked(deployment.daemon.url + path, { headers: { host } });
        expect([path, host, status]).toEqual([path, host, 421]);
        expect(text).not.toContain('ring_scan');
      }
    }
    for (const { method, path } of everyRequest(deployment)) {
      const { status } = await sendUnchecked(deployment.daemon.url + path, {
        method,
        headers: { host: 'evil.example' },
      });
      const isPublic = ['/-/healthy', '/-/ready'].includes(path);
      expect([method, path, status === 421]).toEqual([method, path, !isPublic]);
    }
    const port = Number(new URL(deployment.daemon.url).port);
    for (const [target, hosts] of [
      ['http://localhost/api/v1/queries', ['evil.example']],
      ['http://evil.example/api/v1/queries', ['localhost']],
      ['/api/v1/queries', ['localhost', 'evil.example']],
      ['/api/v1/queries', ['evil.example', 'localhost']],
      ['/api/v1/queries', ['localhost\r\n evil.example']],
    ] as const) {
      const head = [`GET ${target} HTTP/1.1`, 'Connection: close', ...hosts.map((host) => `Host: ${host}`), '', ''];
      expect((await sendRaw(port, head.join('\r\n'))).text).toMatch(/^HTTP\/1\.1 4(?:00|21) /);
    }
    expect(
      (await sendUnchecked(`${deployment.daemon.url}/-/healthy`, { headers: { host: 'evil.example' } })).status,
    ).toBe(200);
  });

  it('accepts actions of an operator in the terminal of the host, without an address and a password', async () => {
    const run = async (...args: readonly string[]) => {
      const child = startProgram(args, { cwd: deployment.daemon.folder });
      return { code: await child.ended, out: child.stdout(), error: child.stderr() };
    };
    expect(await run('guard', 'pause')).toEqual({ code: 0, out: 'guard paused\n', error: '' });
    expect((await stateOf(deployment)).guard).toMatchObject({ paused: true });
    expect((await run('guard', 'audit')).out).toContain('by local');
    const refused = await run('guard', 'resume', '--yes', '--url', deployment.daemon.url);
    expect([refused.code, refused.error]).toEqual([1, expect.stringContaining(': Operator actions require')]);
    expect((await stateOf(deployment)).guard).toMatchObject({ paused: true });
  });
});

/** Request of an operator, as a proxy sends it that authenticated her. */
const operatorRequest =
  'POST /api/v1/guard/pause HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-User: alice\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}';
const length = operatorRequest.length;
const post = 'POST /nowhere HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n';

describe.skipIf(findTool('nginx') === undefined)('a trusted proxy', () => {
  let deployment: Deployment;
  const ends: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    const web = { trusted_proxies: ['127.0.0.2'] };
    deployment = await startDeployment({ web, operators: ['alice'] }, (end) => ends.unshift(end));
  });

  afterAll(async () => {
    for (const end of ends) await end();
  });

  it('rejects a request of an operator that is hidden in the body of another', async () => {
    const proxy = await startNginx(
      deployment.daemon.url,
      'proxy_set_header X-Forwarded-User $remote_user; proxy_bind 127.0.0.2; proxy_http_version 1.1; proxy_set_header Connection "";',
    );
    const before = await stateOf(deployment);
    for (const [head, body] of [
      [`Content-Length: ${length}`, ''],
      [`Expect: 100-continue\r\nContent-Length: ${length}`, ''],
      [`Content-Length: ${length + 5}\r\nTransfer-Encoding: chunked`, '0\r\n\r\n'],
      [`Content-Length: ${length + 5}\r\nTransfer-Encoding : chunked`, '0\r\n\r\n'],
      [`Content-Length: ${length + 5}\r\nTransfer-Encoding: xchunked`, '0\r\n\r\n'],
      [`Content-Length: ${length + 5}\r\nX: x\nTransfer-Encoding: chunked`, '0\r\n\r\n'],
      ['Transfer-Encoding: chunked', '2;\nxx\r\n{}\r\n0\r\n\r\n'],
      ['Transfer-Encoding: chunked', '2\n{}\n0\n\n'],
    ]) {
      const { text } = await sendRaw(Number(new URL(proxy).port), `${post}${head}\r\n\r\n${body}${operatorRequest}`);
      expect([head, text]).toEqual([head, expect.stringMatching(/^HTTP\/1\.1 (?:100|4\d\d|501) /)]);
    }
    expect(await stateOf(deployment)).toEqual(before);
  });

  it('accepts actions of an authenticated operator', async () => {
    const passwords = join(await temporaryFolder(), 'passwords');
    await writeFile(passwords, 'alice:{PLAIN}secret\nbob:{PLAIN}secret\n');
    const proxy = await startNginx(
      deployment.daemon.url,
      `auth_basic x; auth_basic_user_file ${passwords}; proxy_set_header X-Forwarded-User $remote_user; proxy_bind 127.0.0.2;`,
    );
    expect(await pauseAs('mallory', proxy)).toBe(401);
    expect(await pauseAs('bob', proxy, { 'x-forwarded-user': 'alice' })).toBe(403);
    expect(await pauseAs('alice', deployment.daemon.url, { 'x-forwarded-user': 'alice' })).toBe(403);
    expect((await stateOf(deployment)).guard).toMatchObject({ paused: false });
    expect(await pauseAs('alice', proxy)).toBe(200);
    expect((await stateOf(deployment)).guard).toMatchObject({ paused: true });
  });
});

async function pauseAs(user: string, base: string, headers: Readonly<Record<string, string>> = {}): Promise<number> {
  const authorization = `Basic ${btoa(`${user}:secret`)}`;
  const options = { method: 'POST', headers: { authorization, ...headers } };
  return (await sendUnchecked(`${base}/api/v1/guard/pause`, options)).status;
}

it('users read or scrape according to their roles, and an anonymous client cannot change state', async () => {
  const file = join(await temporaryFolder(), 'web.yml');
  const hash = hashSync('secret', 4);
  const users = { alice: hash, bob: hash, carol: hash, prometheus: hash };
  await writeFile(file, stringify({ basic_auth_users: users }));
  const roles = { operators: ['alice'], readers: ['bob'], scrapers: ['prometheus'] };
  const deployment = await startDeployment({ web_config_file: file, ...roles });
  const before = await stateOf(deployment);
  await sendAll(deployment, deployment.daemon.url, claims);
  expect(await stateOf(deployment)).toEqual(before);
  const statusOf = async (user: string, path: string, method = 'GET') => {
    const headers = { authorization: `Basic ${btoa(`${user}:secret`)}` };
    return (await sendUnchecked(deployment.daemon.url + path, { method, headers })).status;
  };
  const found = await Promise.all(
    Object.keys(users).map(async (user) => [
      user,
      await statusOf(user, '/metrics'),
      await statusOf(user, '/probe?target=prod'),
      await statusOf(user, '/api/v1/queries'),
      await statusOf(user, '/-/ready'),
      await statusOf(user, '/-/reload', 'POST'),
    ]),
  );
  expect(found).toEqual([
    ['alice', 200, 200, 200, 200, 200],
    ['bob', 200, 200, 200, 200, 403],
    ['carol', 403, 403, 403, 200, 403],
    ['prometheus', 200, 200, 403, 200, 403],
  ]);
});
