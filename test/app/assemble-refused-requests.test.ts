import { expect, it } from 'vitest';
import { assembleApp } from '../../src/app/assemble.ts';
import { clusterOf, configOf, sendRequest, testbed } from './fakes.ts';

it('an application counts and logs requests for an unknown host name, and cross-site actions', async () => {
  const { clock, log, ports, parts } = testbed();
  const app = assembleApp(configOf([clusterOf('prod', ['m1'])]), ports, parts);
  await app.start();
  await clock.advance(2000);
  const origin = 'http://evil.example';
  for (let times = 0; times < 2; times += 1) {
    const elsewhere = await sendRequest(app.handler, '/api/v1/queries', { headers: { host: 'evil.example' } });
    const foreign = { method: 'POST', headers: { host: 'localhost', origin } };
    const action = await sendRequest(app.handler, '/api/v1/guard/pause', foreign);
    expect([elsewhere.status, action.status]).toEqual([421, 403]);
  }
  const read = { headers: { host: 'localhost', origin } };
  expect((await sendRequest(app.handler, '/api/v1/queries', read)).status).toBe(200);
  await clock.advance(2000);
  const page = (await sendRequest(app.handler, '/metrics')).body;
  for (const reason of ['host', 'origin']) {
    expect(page).toContain(`graphwarden_http_requests_rejected_total{reason="${reason}"} 2`);
  }
  const rejected = log.lines.filter(({ message }) => message === 'requests rejected');
  expect(rejected.map(({ level, fields }) => [level, fields])).toEqual(
    ['host', 'origin'].map((reason) => ['warn', { reason, client: '127.0.0.1' }]),
  );
  await app.stop();
});
