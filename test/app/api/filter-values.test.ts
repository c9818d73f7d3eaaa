import { expect, it } from 'vitest';
import { assembleApp } from '../../../src/app/assemble.ts';
import { clusterOf, configOf, sendRequest, testbed } from '../fakes.ts';

it.each([
  ['/api/v1/clusters?name=prd', "There is no cluster 'prd'. Did you mean 'prod'? Known: dev, prod."],
  ['/api/v1/services?cluster=prd', "There is no cluster 'prd'."],
  ['/api/v1/transitions?cluster=prd', "There is no cluster 'prd'."],
  ['/api/v1/availability?cluster=prd', "There is no cluster 'prd'."],
  ['/api/v1/checks?cluster=prd', "There is no cluster 'prd'."],
  ['/api/v1/alerts?cluster=prd', "There is no cluster 'prd'."],
  ['/api/v1/guard/audit?node=m3', "There is no node 'm3'. Did you mean 'm1'? Known: d1, m1, m2."],
  ['/api/v1/queries?node=m3', "There is no node 'm3'."],
  ['/api/v1/notifications?cluster=prd', "There is no cluster 'prd'."],
  ['/api/v1/notifications?incident=123&cluster=prod', "'123' is not the ID of an incident"],
  ['/api/v1/notifications?incident=5f0c1f6f3a6e-7&cluster=prod', "No incident has the ID '5f0c1f6f3a6e-7'"],
  ['/api/v1/collectors?collector=helth', "There is no collector 'helth'."],
])('filter value › %s names the values that exist', async (target, detail) => {
  const bed = testbed();
  const app = assembleApp(configOf([clusterOf('prod', ['m1', 'm2']), clusterOf('dev', ['d1'])]), bed.ports, bed.parts);
  await app.start();
  const { status, body } = await sendRequest(app.handler, target);
  expect(status).toBe(400);
  expect(JSON.parse(body).detail).toContain(detail);
  expect((await sendRequest(app.handler, target.replace('prd', 'prod').replace('m3', 'm1'))).status).toBe(
    /helth|incident/.test(target) ? 400 : 200,
  );
  await app.stop();
});
