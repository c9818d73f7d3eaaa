import { describe, expect, it } from 'vitest';
import { assembleApp } from '../../../src/app/assemble.ts';
import type { AppPorts } from '../../../src/app/ports/app-ports.ts';
import type { Config } from '../../../src/config/config.ts';
import { failure } from '../../../src/kernel/failure.ts';
import { err, ok } from '../../../src/kernel/result.ts';
import { clusterOf, configOf, sendRequest, testbed } from '../fakes.ts';

async function setUp(config: Config, ports: Partial<AppPorts> = {}) {
  const bed = testbed(ports);
  const app = assembleApp(config, bed.ports, bed.parts);
  await app.start();
  const look = async (target = '/'): Promise<string> => (await sendRequest(app.handler, target)).body;
  return { ...bed, app, look };
}

const two = configOf([clusterOf('prod', ['m1', 'm2'])]);

describe('the landing page', () => {
  it('reports a healthy cluster', async () => {
    const { app, clock, look } = await setUp(two);
    expect(await look()).toContain('The first round of reads is not over yet.');
    expect(await look()).toContain('Not asked yet: m1 and m2.');
    await clock.advance(2000);
    const page = await look();
    expect(page).not.toContain('is not over yet');
    expect(page).toContain('<li class="good">All 2 nodes are up, for at least 1s.</li>');
    expect(page).toContain('<li class="good">6 polls, none failed.</li>');
    expect(page).toContain('Version 1.2.3 (commit abcdef0)');
    await app.stop();
  });

  it('says what fails, why, and since when', async () => {
    const { app, clock, look, world } = await setUp(two);
    world.set('lists', 'm1', err(failure('auth', 'the privilege is missing')));
    await clock.advance(3000);
    world.set('health', 'm2', err(failure('unreachable', 'connection refused')));
    await clock.advance(65_000);
    const page = await look();
    expect(page).toContain('1 of 2 nodes up.');
    expect(page).toContain(
      '<li class="bad">m2 (http://m2.test:14240) is down (unreachable) since 2026-09-22 04:53:27 UTC, for 1m: connection refused. ',
    );
    expect(page).toContain('2 of 6 polls failed.');
    expect(page).toContain('lists on m1 fails (auth) since 2026-09-22 04:53:21 UTC, for 1m 7s, it never worked');
    world.set('health', 'm2', ok(1));
    await clock.advance(5000);
    expect(await look()).toContain('All 2 nodes are up, for at least ');
    expect(await look()).toContain('m2 was away until');
    await app.stop();
  });

  it('trusts no text from elsewhere', async () => {
    const { app, clock, look, world } = await setUp(configOf([clusterOf('<b>&"', ["m'1"])]));
    world.set('lists', "m'1", err(failure('body', '<script>alert(1)</script>')));
    await clock.advance(3000);
    const page = await look();
    expect(page).not.toContain('<script');
    expect(page).not.toContain('<b>');
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page).toContain('&lt;b&gt;&amp;&quot;');
    expect(page).toContain('m&#39;1');
    await app.stop();
  });

  it('loads nothing, and links to everything under the prefix', async () => {
    const { app, look } = await setUp({ ...two, externalUrl: 'https://example.org/warden/' });
    const page = await look('/warden/');
    expect(page).not.toMatch(/<(?:script|link|img|iframe)/);
    const links = [...page.matchAll(/href="([^"]+)"/g)].map(([, link]) => link ?? '');
    expect(links).toContain('/warden/metrics');
    expect(links).toContain('/warden/docs/metrics');
    for (const link of links) expect((await sendRequest(app.handler, link)).status).not.toBe(404);
    await app.stop();
  });

  it('says so when no node is known', async () => {
    const { app, look } = await setUp(configOf([clusterOf('prod', [])]));
    expect(await look()).toContain('No node is known.');
    await app.stop();
  });

  it('shows the notice', async () => {
    const { app, look } = await setUp(two, { notice: 'This is a SIMULATION' });
    expect(await look()).toContain('This is a SIMULATION</p>');
    await app.stop();
  });

  it.each([
    ['/', 200, false],
    ['/?refresh=10', 200, true],
    ['/?refresh=3600', 200, true],
    ['/?refresh=0', 400, false],
    ['/?refresh=3601', 400, false],
    ['/?refresh=1e3', 400, false],
    ['/?refresh=', 400, false],
  ])('%s answers %i and asks again: %s', async (target, status, again) => {
    const { app } = await setUp(two);
    const answer = await sendRequest(app.handler, target);
    expect([answer.status, answer.body.includes('http-equiv="refresh"')]).toEqual([status, again]);
    await app.stop();
  });

  it('is HTML', async () => {
    const { app } = await setUp(two);
    const { status, headers } = await sendRequest(app.handler, '/');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    await app.stop();
  });
});
