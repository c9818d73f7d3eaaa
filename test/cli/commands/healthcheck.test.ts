import { createServer } from 'node:https';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../../src/cli/cli.ts';
import { commands } from '../../../src/cli/commands/all.ts';
import { bind, listenerLimits } from '../../../src/runtime/listener.ts';
import { selfSigned } from '../../support/certificates.ts';
import { testPorts } from '../../support/cli-ports.ts';
import { freePort } from '../../support/free-port.ts';
import { livePorts, realWorld } from '../../support/live-ports.ts';
import type { Served } from '../../support/served-listener.ts';
import { fixedReply, serve, served } from '../../support/served-listener.ts';
import { findTool } from '../../support/tools.ts';

describe('a daemon', () => {
  it('that serves is healthy, also below a route prefix, without output', async () => {
    const requested: string[] = [];
    const { url } = await serve(async ({ path }) => {
      requested.push(path);
      return { status: 200, body: 'healthy' };
    });
    for (const target of [url, `${url}/`, `${url}/warden/`]) {
      const ports = livePorts();
      expect(await runCli(['healthcheck', '--url', target], commands, ports)).toBe(0);
      expect(ports.stdout.text() + ports.stderr.text()).toBe('');
    }
    expect(requested).toEqual(['/-/healthy', '/-/healthy', '/warden/-/healthy']);
  });

  it('that answers with an error is unhealthy', async () => {
    const { url } = await serve(fixedReply({ status: 503 }));
    const ports = livePorts();
    expect(await runCli(['healthcheck', '--url', url], commands, ports)).toBe(1);
    expect(ports.stderr.text()).toBe('graphwarden: not healthy: unexpected status 503\n');
  });

  it('that does not listen is unhealthy', async () => {
    const ports = livePorts();
    expect(await runCli(['healthcheck', '--url', `http://127.0.0.1:${await freePort()}`], commands, ports)).toBe(1);
    expect(ports.stderr.text()).toContain('not healthy');
  });

  it.each([
    ['three seconds', 3_000, []],
    ['the timeout', 30_000, ['--timeout', '30s']],
  ] as const)('that hangs is unhealthy after %s', async (_name, timeout, options) => {
    const { url } = await serve(() => new Promise(() => {}));
    const ports = testPorts({ loadRuntime: async () => realWorld });
    let ended = false;
    const exit = runCli(['healthcheck', '--url', url, ...options], commands, ports).finally(() => {
      ended = true;
    });
    while (ports.clock.sleeping === 0) await ports.clock.yieldToEventLoop();
    await ports.clock.advance(timeout - 1);
    expect(ended).toBe(false);
    await ports.clock.advance(1);
    expect(await exit).toBe(1);
  });

  it.each(['0s', '2h', 'soon'])('is not requested with the timeout «%s»', async (timeout) => {
    const ports = livePorts();
    expect(await runCli(['healthcheck', `--timeout=${timeout}`], commands, ports)).toBe(2);
    expect(ports.stderr.text()).toContain('--timeout must be a duration of at most 1h, such as 30s');
  });
});

async function secure(): Promise<Served> {
  const server = createServer({ ...listenerLimits, ...selfSigned('warden') });
  const binding = { host: '127.0.0.1', port: 0, handler: fixedReply({}), limits: listenerLimits };
  return served(await bind(server, binding), 'https');
}

describe.skipIf(findTool('openssl') === undefined)('over TLS', () => {
  it('with an unknown certificate is unhealthy, unless verification is disabled', async () => {
    const { url } = await secure();
    const strict = livePorts();
    expect(await runCli(['healthcheck', '--url', url], commands, strict)).toBe(1);
    expect(strict.stderr.text()).toContain('certificate');
    expect(await runCli(['healthcheck', '--url', url, '--insecure'], commands, livePorts())).toBe(0);
  });
});

it.each([
  ['9916', '--url must be http://HOST:PORT'],
  ['ftp://h/', '--url must be http://HOST:PORT'],
  ['localhost:9916', '--url must be http://HOST:PORT'],
  ['', "option '--url <URL>' argument '' is invalid. It is empty."],
])("healthcheck › rejects the URL '%s'", async (url, message) => {
  const ports = testPorts();
  expect(await runCli(['healthcheck', '--url', url], commands, ports)).toBe(2);
  expect(ports.stderr.text()).toContain(message);
});
