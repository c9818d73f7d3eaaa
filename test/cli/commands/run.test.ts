import { describe, expect, it } from 'vitest';
import { runCli } from '../../../src/cli/cli.ts';
import { commands } from '../../../src/cli/commands/all.ts';
import { eventually } from '../../support/child.ts';
import { testPorts } from '../../support/cli-ports.ts';
import { freePort } from '../../support/free-port.ts';
import { send } from '../../support/http.ts';
import { configFile, livePorts } from '../../support/live-ports.ts';

describe('run without a usable configuration', () => {
  it('prints an error that names demo and init', async () => {
    const ports = testPorts();
    expect(await runCli([], commands, ports)).toBe(2);
    expect(ports.stderr.text()).toContain('--config FILE');
    expect(ports.stderr.text()).toContain('GRAPHWARDEN_CONFIG');
    expect(ports.stderr.text()).toContain('graphwarden demo');
    expect(ports.stderr.text()).toContain('graphwarden init');
    expect(ports.stdout.text()).toBe('');
  });

  it('prints every problem', async () => {
    const ports = testPorts({ environment: { GRAPHWARDEN_CONFIG: 'a.yml' } });
    ports.disk.set('a.yml', 'listen: nowhere\nclusters: []\n');
    expect(await runCli(['run'], commands, ports)).toBe(2);
    expect(ports.stderr.text()).toMatch(/^a\.yml:1:\d+: listen: .*\na\.yml:2:\d+: clusters: /);
  });

  it('releases the signal handlers in each case', async () => {
    const ports = testPorts();
    await runCli([], commands, ports);
    const names = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR2'] as const;
    expect(names.map((name) => ports.listeners(name))).toEqual([0, 0, 0, 0]);
  });
});

it('run serves with the file until a stop signal, and logs the warnings of the file', async () => {
  const port = await freePort();
  const nodes = [{ name: 'm1', url: `http://127.0.0.1:${await freePort()}` }];
  const routes = [{ matchers: ['node="m2"'], receivers: [] }, { receivers: [] }];
  const settings = { listen: `127.0.0.1:${port}`, clusters: [{ name: 'prod', nodes }], alerts: { routes } };
  const file = await configFile(settings);
  const ports = livePorts();
  const exit = runCli(['--config', file], commands, ports);
  const page = await eventually('a page', async () => {
    const reply = await send(`http://127.0.0.1:${port}/metrics`);
    return reply.status === 200 && reply.text;
  });
  expect(page).toContain('graphwarden_build_info');
  ports.signal('SIGTERM');
  expect(await exit).toBe(0);
  expect(ports.stdout.text()).toBe('');
  expect(ports.stderr.text()).toMatch(
    /"msg":"config has warnings".*"msg":"listening".*"msg":"stopping".*"msg":"stopped"/s,
  );
  expect(ports.stderr.text()).toContain('alerts.routes[0].matchers[0]');
  expect(ports.listeners('SIGTERM') + ports.listeners('SIGHUP') + ports.listeners('SIGUSR2')).toBe(0);
});
