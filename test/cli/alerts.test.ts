import { describe, expect, it } from 'vitest';
import type { AlertView } from '../../src/alert/alert-view.ts';
import { alertRoutes } from '../../src/app/alert-routes.ts';
import { createHandler } from '../../src/app/routes.ts';
import { cli } from '../../src/cli/cli.ts';
import { commands } from '../../src/cli/commands.ts';
import { err, ok } from '../../src/kernel/result.ts';
import { systemRandom } from '../../src/runtime/random.ts';
import { livePorts } from '../support/live-ports.ts';
import { recordingLogger } from '../support/logger.ts';
import { freePort } from '../support/ports.ts';
import { answering, serve } from '../support/serving.ts';

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
  const desk = {
    log: recordingLogger(),
    random: systemRandom,
    config: () => ({ operators: [] }),
    rules: alerts.map(({ rule }) => rule),
    alerts: () => alerts,
    silences: () => [],
    silence: async () => err('nobody silences here'),
    unsilence: async () => ok(false),
    now: () => ({ wall: 0, mono: 0 }),
  };
  return (await serve(createHandler(alertRoutes(desk), () => ''))).url;
}

async function shown(...args: readonly string[]) {
  const ports = livePorts();
  const code = await cli(['alerts', ...args], commands, ports);
  return { code, out: ports.stdout.text(), error: ports.stderr.text() };
}

async function rules(...args: readonly string[]): Promise<readonly string[]> {
  const { out } = await shown('--json', '--url', await daemonWith(views), ...args);
  return JSON.parse(out).map(({ rule }: AlertView) => rule);
}

describe('alerts', () => {
  it('are those that fire or are about to, the most urgent first', async () => {
    const { code, out, error } = await shown('--url', await daemonWith(views));
    expect([code, error]).toEqual([0, '']);
    const names = out
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/)[4]);
    expect(names).toEqual(['RULE', 'node_unreachable', 'disk_filling', 'service_readonly']);
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
  ])('can be chosen by %j', async (args, expected) => {
    expect(await rules(...args)).toEqual(expected);
  });

  it('may be many', async () => {
    const many = Array.from({ length: 2345 }, (_, at) => view('disk_filling', { key: `k${at}` }));
    const { out } = await shown('--json', '--url', await daemonWith(many));
    expect(new Set(JSON.parse(out).map(({ key }: AlertView) => key)).size).toBe(2345);
  });

  it('may be none', async () => {
    expect((await shown('--url', await daemonWith(views.slice(4)))).out).toBe('no alerts\n');
  });

  it.each([
    ['prod', 0, 'no alerts\n', ''],
    ['Prod', 1, '', "graphwarden: the daemon watches no cluster 'Prod', and has no alert of one\n"],
  ])('of %s, of which there are none, are told apart from those of nobody', async (cluster, code, out, error) => {
    const { url } = await serve(async ({ path, query }) => {
      const total = path === '/api/v1/clusters' && query.get('name') === 'prod' ? 1 : 0;
      return { status: 200, body: JSON.stringify({ items: [], total }) };
    });
    expect(await shown('--cluster', cluster, '--url', url)).toEqual({ code, out, error });
  });

  it('that cannot be had are trouble', async () => {
    const unreachable = await shown('--url', `http://127.0.0.1:${await freePort()}`);
    expect(unreachable).toMatchObject({ code: 1, out: '', error: expect.stringMatching(/^graphwarden: /) });
    const { url } = await serve(answering({ body: '{"items":7}' }));
    expect(await shown('--url', url)).toMatchObject({
      code: 1,
      error: 'graphwarden: the answer is no page of alerts\n',
    });
  });
});
