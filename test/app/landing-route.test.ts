import { describe, expect, it } from 'vitest';
import { assembleApp } from '../../src/app/assemble.ts';
import type { Config } from '../../src/config/config.ts';
import { failure } from '../../src/kernel/failure.ts';
import { err, ok } from '../../src/kernel/result.ts';
import { ask, clusterOf, configOf, testbed } from './fakes.ts';

async function setUp(config: Config) {
  const bed = testbed();
  const app = assembleApp(config, bed.ports, bed.parts);
  await app.start();
  const look = async (target = '/'): Promise<string> => (await ask(app.handler, target)).body;
  return { ...bed, app, look };
}

const two = configOf([clusterOf('prod', ['m1', 'm2'])]);

describe('the landing page', () => {
  it('says in words that all is well', async () => {
    const { app, clock, look } = await setUp(two);
    expect(await look()).toContain('The first round of reads is not over yet.');
    expect(await look()).toContain('m1 is unknown');
    await clock.advance(2000);
    const page = await look();
    expect(page).toContain('The first round of reads is over.');
    expect(page).toContain('2 of 2 nodes are up. No collector fails.');
    expect(page).toContain('m1 is up <code>http://m1.test:14240</code>');
    expect(page).toContain('Version 1.2.3 (abcdef0).');
    await app.stop();
  });

  it('says what fails, why, and since when', async () => {
    const { app, clock, look, world } = await setUp(two);
    world.set('lists', 'm1', err(failure('auth', 'the privilege is missing')));
    await clock.advance(3000);
    world.set('health', 'm2', err(failure('unreachable', 'connection refused')));
    await clock.advance(65_000);
    const page = await look();
    expect(page).toContain('1 of 2 nodes are up. 2 of 6 collectors fail.');
    expect(page).toContain('<strong class="bad">m2 is down</strong>');
    expect(page).toContain('lists on m1</strong> (auth): the privilege is missing; it never worked');
    expect(page).toContain('health on m2</strong> (unreachable): connection refused; it last worked 1m6s ago');
    world.set('health', 'm2', ok(1));
    await clock.advance(5000);
    expect(await look()).toContain('2 of 2 nodes are up. 1 of 6 collectors fail.');
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
    for (const link of links) expect((await ask(app.handler, link)).status).not.toBe(404);
    await app.stop();
  });

  it('says so when no node is known', async () => {
    const { app, look } = await setUp(configOf([clusterOf('prod', [])]));
    expect(await look()).toContain('No node is known.');
    await app.stop();
  });

  it('is HTML', async () => {
    const { app } = await setUp(two);
    const { status, headers } = await ask(app.handler, '/');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    await app.stop();
  });
});
