import { describe, expect, it } from 'vitest';
import { assembleApp } from '../../../src/app/assemble.ts';
import type { AppPorts } from '../../../src/app/ports/app-ports.ts';
import type { Config } from '../../../src/config/config.ts';
import type { IncomingRequest } from '../../../src/kernel/listener.ts';
import { err, ok } from '../../../src/kernel/result.ts';
import type { ConfigProblem } from '../../../src/model/config-problem.ts';
import { clusterOf, configOf, sendRequest, testbed } from '../fakes.ts';

const problem: ConfigProblem = {
  file: 'c.yml',
  line: 3,
  column: 5,
  path: 'listen',
  message: 'is wrong',
  hint: 'fix it',
};

function setUp(more: Partial<Config> = {}, reload: AppPorts['reload'] = async () => ok([])) {
  let reloads = 0;
  const counted: AppPorts['reload'] = () => {
    reloads += 1;
    return reload();
  };
  const bed = testbed({ reload: counted });
  const app = assembleApp(configOf([clusterOf('prod', ['m1'])], more), bed.ports, bed.parts);
  const post = (request: Partial<IncomingRequest> = {}) =>
    sendRequest(app.handler, '/-/reload', { method: 'POST', ...request });
  return { ...bed, app, post, reloads: () => reloads };
}

describe('POST /-/reload', () => {
  it('reloads for the local operator', async () => {
    const { post, reloads } = setUp();
    const { status, body } = await post();
    expect([status, body]).toEqual([200, '{"reloaded":true}\n']);
    expect(reloads()).toBe(1);
  });

  it('names the settings that wait for a restart', async () => {
    const { post } = setUp({}, async () => ok(['listen', 'state_dir']));
    expect(JSON.parse((await post()).body)).toEqual({ reloaded: true, restartRequired: ['listen', 'state_dir'] });
  });

  it('returns the problems of an invalid configuration', async () => {
    const { post } = setUp({}, async () => err([problem]));
    const { status, headers, body } = await post();
    expect(status).toBe(422);
    expect(headers['content-type']).toContain('application/problem+json');
    expect(JSON.parse(body).problems).toEqual([problem]);
  });

  it('rejects other machines, and users who are no operators', async () => {
    const { post, reloads } = setUp({ operators: ['alice'] });
    expect((await post({ remoteAddress: '10.0.0.9' })).status).toBe(403);
    const refused = await post({ user: 'scraper' });
    expect(refused.status).toBe(403);
    expect(JSON.parse(refused.body).detail).toContain("'scraper' is not listed in operators");
    expect(reloads()).toBe(0);
    expect((await post({ user: 'alice', remoteAddress: '10.0.0.9' })).status).toBe(200);
  });

  it('rejects GET', async () => {
    const { app, reloads } = setUp();
    const { status, headers } = await sendRequest(app.handler, '/-/reload');
    expect([status, headers.allow]).toEqual([405, 'POST']);
    expect(reloads()).toBe(0);
  });
});

describe('health and readiness', () => {
  it('are exempt from authentication, also after a change of the prefix', async () => {
    const { app } = setUp({ externalUrl: 'https://example.org/old' });
    const open = (paths: readonly string[]) => paths.filter((path) => app.isPublic(path));
    const paths = ['/-/healthy', '/-/ready', '/metrics', '/-/reload'];
    expect(open(paths.flatMap((path) => [path, `/old${path}`]))).toEqual(['/old/-/healthy', '/old/-/ready']);
    await app.reconfigure(configOf([], { externalUrl: 'https://example.org/new' }));
    expect(open(['/new/-/healthy', '/old/-/healthy'])).toEqual(['/new/-/healthy']);
    await app.stop();
  });

  it('is healthy before the start, while nodes fail, and after the stop', async () => {
    const { app, clock, fakeClusters } = setUp();
    fakeClusters.set('health', 'm1', 'ignores its abort');
    expect((await sendRequest(app.handler, '/-/healthy')).status).toBe(200);
    await app.start();
    await clock.advance(300_000);
    expect((await sendRequest(app.handler, '/-/healthy')).status).toBe(200);
    const stopping = app.stop();
    await clock.advance(1000);
    await stopping;
  });

  it('is not healthy when polls are long overdue', async () => {
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
    const { status, body } = await sendRequest(app.handler, '/-/healthy');
    expect(status).toBe(503);
    expect(body).toContain('overdue');
  });

  it('is ready after the first round of polls', async () => {
    const { app, clock } = setUp();
    expect((await sendRequest(app.handler, '/-/ready')).status).toBe(503);
    await app.start();
    await clock.advance(2000);
    expect((await sendRequest(app.handler, '/-/ready')).body).toBe('ready\n');
    await app.stop();
  });

  it.each([
    [false, 200],
    [true, 503],
  ])(
    'is ready while the configuration file is rejected, unless %s: unready_on_rejected_config',
    async (gate, status) => {
      const config = configOf([clusterOf('prod', ['m1'])], { unreadyOnRejectedConfig: gate });
      const { app, clock } = setUp(config);
      await app.start();
      await clock.advance(2000);
      expect((await sendRequest(app.handler, '/-/ready')).status).toBe(200);
      await app.reconfigure({ ...config, rejection: { since: 0, problems: [problem], isGuardUnreadable: false } });
      expect((await sendRequest(app.handler, '/-/ready')).status).toBe(status);
      await app.reconfigure(config);
      expect((await sendRequest(app.handler, '/-/ready')).status).toBe(200);
      await app.stop();
    },
  );
});
