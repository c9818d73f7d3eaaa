import { expect, it } from 'vitest';
import { metricsReferenceRoute } from '../../../src/app/api/metrics-reference-route.ts';
import { createHandler } from '../../../src/app/api/routes.ts';
import { collectors } from '../../../src/collect/all.ts';
import { documentedMetrics } from '../../../tools/generate/metrics-reference.ts';
import { sendRequest, testbed } from '../fakes.ts';

async function page(): Promise<string> {
  const { parts } = testbed();
  const route = metricsReferenceRoute({ parts: { ...parts, collectors } }, () => '/warden');
  const { status, headers, body } = await sendRequest(
    createHandler([route], () => ''),
    '/docs/metrics',
  );
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  return body;
}

it('metrics reference page › has every family that the generated reference has, but those of the process', async () => {
  const body = await page();
  const missing = documentedMetrics().filter(
    ({ name, source }) => source !== 'this process' && !body.includes(`>${name}<`),
  );
  expect(missing).toEqual([]);
});

it('metrics reference page › lists each metric with its help, labels and source', async () => {
  const body = await page();
  expect(body).toContain('<td>node, graph<td>Running queries of the node;');
  expect(body).toContain('<td>GET /api/ping</tr>');
  expect(body).toContain('Required privilege: READ_DATA, global.');
});

it('metrics reference page › links back to the status page', async () => {
  expect(await page()).toContain('<a href="/warden/">graphwarden</a>');
});
