import { describe, expect, it } from 'vitest';
import type { AlertView } from '../../../src/alert/alert-view.ts';
import { rules as allRules } from '../../../src/alert/rules/all.ts';
import { alertRoutes } from '../../../src/app/api/alert-routes.ts';
import { createHandler } from '../../../src/app/api/routes.ts';
import { runCli } from '../../../src/cli/cli.ts';
import { commands } from '../../../src/cli/commands/all.ts';
import { err, ok } from '../../../src/kernel/result.ts';
import { systemRandom } from '../../../src/runtime/system-ports.ts';
import { freePort } from '../../support/free-port.ts';
import { livePorts } from '../../support/live-ports.ts';
import { recordingLogger } from '../../support/logger.ts';
import { fixedReply, serve } from '../../support/served-listener.ts';

function view(rule: string, more: Partial<AlertView> = {}): AlertView {
  const common = { key: rule, episode: 1, severity: 'warning', phase: 'firing', annotations: {}, startsAt: 1 } as const;
  return { ...common, rule, labels: { cluster_name: 'prod' }, ...more };
}

const views = [
  view('disk_filling'),
  view('node_unreachable', { severity: 'critical', labels: { cluster_name: 'test' } }),
  view('service_readonly', { phase: 'pending' }),
  view('token_expiring', { phase: 'resolved', endsAt: 2 }),
  view('watchdog', { severity: 'info', labels: {} }),
];

async function daemonWith(alerts: readonly AlertView[]): Promise<string> {
  const dependencies = {
    log: recordingLogger(),
    random: systemRandom,
    config: () => ({ operators: [], clusters: [], alerts: { rules: {} } }),
    rules: allRules,
    known: { cluster: { values: () => ['prod', 'dev'] } },
    alerts: () => alerts,
    deliveries: () => [],
    silences: () => [],
    silence: async () => err('not supported'),
    unsilence: async () => ok(false),
    now: () => ({ wall: 0, mono: 0 }),
  };
  return (await serve(createHandler(alertRoutes(dependencies), () => ''))).url;
}

async function shown(...args: readonly string[]) {
  const ports = livePorts();
  const code = await runCli(['alerts', ...args], commands, ports);
  return { code, out: ports.stdout.text(), error: ports.stderr.text() };
}

async function rules(...args: readonly string[]): Promise<readonly string[]> {
  const { out } = await shown('--json', '--url', await daemonWith(views), ...args);
  return JSON.parse(out).map(({ rule }: AlertView) => rule);
}

describe('alerts', () => {
  it('are the firing and pending ones, the most urgent first', async () => {
    const { code, out, error } = await shown('--url', await daemonWith(views));
    expect([code, error]).toEqual([0, '']);
    const names = out
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.split(/ {2,}/).at(-1));
    expect(names).toEqual(['node_unreachable', 'disk_filling', 'service_readonly']);
  });

  it.each([
    [['--all'], ['node_unreachable', 'disk_filling', 'watchdog', 'service_readonly', 'token_expiring']],
    [
      ['--cluster', 'prod'],
      ['disk_filling', 'service_readonly'],
    ],
    [['--severity', 'critical'], ['node_unreachable']],
    [['--rule', 'service_readonly'], ['service_readonly']],
    [['--rule', 'watchdog'], []],
  ])('can be filtered by %j', async (args, expected) => {
    expect(await rules(...args)).toEqual(expected);
  });

  it('are listed over several pages', async () => {
    const many = Array.from({ length: 2345 }, (_, at) => view('disk_filling', { key: `k${at}` }));
    const { out } = await shown('--json', '--url', await daemonWith(many));
    expect(new Set(JSON.parse(out).map(({ key }: AlertView) => key)).size).toBe(2345);
  });

  it('are an empty list without alerts', async () => {
    expect((await shown('--url', await daemonWith(views.slice(4)))).out).toBe('no alerts\n');
  });

  it.each([
    ['dev', 0, 'no alerts\n', ''],
    ['Prod', 2, '', "graphwarden: There is no cluster 'Prod'. Did you mean 'prod'? Known: dev, prod."],
  ])('of %s return none if the cluster exists, else a usage error', async (cluster, code, out, error) => {
    const found = await shown('--cluster', cluster, '--url', await daemonWith(views));
    expect(found).toEqual({ code, out, error: expect.stringContaining(error) });
  });

  it('can be filtered by their state, also by resolved', async () => {
    expect(await rules('--state', 'resolved')).toEqual(['token_expiring']);
  });

  it('are an error if the daemon does not answer', async () => {
    const unreachable = await shown('--url', `http://127.0.0.1:${await freePort()}`);
    expect(unreachable).toMatchObject({ code: 1, out: '', error: expect.stringMatching(/^graphwarden: /) });
    const { url } = await serve(fixedReply({ body: '{"items":7}' }));
    expect(await shown('--url', url)).toMatchObject({
      code: 1,
      error:
        'graphwarden: unexpected response of the daemon at items: Invalid input: expected array, received number; ' +
        'check that the command and the daemon have the same version\n',
    });
  });
});
