import { expect, it } from 'vitest';
import { families } from '../../generate/metrics.ts';
import { metricsReferenceRoute } from '../../src/app/metrics-reference-route.ts';
import { createHandler } from '../../src/app/routes.ts';
import { collectors } from '../../src/collect/all.ts';
import { ask, testbed } from './fakes.ts';

async function page(): Promise<string> {
  const { parts } = testbed();
  const route = metricsReferenceRoute({ parts: { ...parts, collectors } }, () => '/warden');
  const { status, headers, body } = await ask(
    createHandler([route], () => ''),
    '/docs/metrics',
  );
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  return body;
}

it('has every family that the generated reference has, but those of the process', async () => {
  const body = await page();
  const missing = families().filter(({ name, source }) => source !== 'this process' && !body.includes(`>${name}<`));
  expect(missing).toEqual([]);
});

it('says of each what it means, which labels it has and where it comes from', async () => {
  const body = await page();
  expect(body).toContain('<td>node, graph<td>Queries in the process list of the node;');
  expect(body).toContain('<td>GET /api/ping</tr>');
  expect(body).toContain('Needs on the server: READ_DATA, global.');
});

it('leads back', async () => {
  expect(await page()).toContain('<a href="/warden/">graphwarden</a>');
});
