import { expect, it } from 'vitest';
import { alertSchema } from '../../../src/api/alerts.ts';
import { clusterSchema } from '../../../src/api/clusters.ts';
import { guardSchema } from '../../../src/api/guard.ts';
import { serviceSchema } from '../../../src/api/services.ts';
import { runCli } from '../../../src/cli/cli.ts';
import { commands } from '../../../src/cli/commands/all.ts';
import { exampleOf } from '../../api/object-cases.ts';
import { freePort } from '../../support/free-port.ts';
import { livePorts } from '../../support/live-ports.ts';
import { pagesOf } from '../../support/page-of.ts';
import { fixedReply, serve } from '../../support/served-listener.ts';

const answers = {
  '/api/v1/clusters': [exampleOf(clusterSchema)],
  '/api/v1/alerts': [exampleOf(alertSchema)],
  '/api/v1/services': [exampleOf(serviceSchema)],
  '/api/v1/guard': exampleOf(guardSchema),
  '/api/v1/replicas': {
    items: [],
    total: 0,
    limit: 1000,
    offset: 0,
    databaseAway: false,
    databaseAnsweredAt: null,
    withoutOwner: [],
  },
};

async function shown(...args: readonly string[]) {
  const ports = livePorts();
  const code = await runCli(['status', ...args], commands, ports);
  return { code, out: ports.stdout.text(), error: ports.stderr.text() };
}

it('status shows the clusters and the alerts, and its exit code the worst state', async () => {
  const { url } = await serve(pagesOf(answers));
  const { code, out } = await shown('--url', url);
  expect(code).toBe(3);
  expect(out).toMatch(/^warning: 1 alert fires/);
  expect(JSON.parse((await shown('--url', url, '--json')).out)).toMatchObject({ state: 'warning' });
});

it('status of one cluster requests this cluster only', async () => {
  const requested: string[] = [];
  await shown('--url', (await serve(pagesOf(answers, requested))).url, '--cluster', 'prod');
  expect(requested.map((one) => one.replace('&limit=1000&offset=0', ''))).toEqual([
    '/api/v1/clusters?name=prod',
    '/api/v1/alerts?cluster=prod',
    '/api/v1/services?cluster=prod',
    '/api/v1/collectors?cluster=prod',
    '/api/v1/guard?',
    '/api/v1/replicas?limit=1000',
  ]);
});

it.each(['/api/v1/clusters', '/api/v1/alerts', '/api/v1/services', '/api/v1/collectors', '/api/v1/guard'])(
  'status fails if %s cannot be requested',
  async (path) => {
    const pages = pagesOf(answers);
    const broken = fixedReply({ status: 503, body: '{}' });
    const { url } = await serve((request) => (request.path === path ? broken(request) : pages(request)));
    expect(await shown('--url', url)).toMatchObject({ code: 1, out: '' });
  },
);

it('status without a daemon fails', async () => {
  expect(await shown('--url', `http://127.0.0.1:${await freePort()}`)).toMatchObject({ code: 1, out: '' });
});
