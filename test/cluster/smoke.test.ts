import { expect, it } from 'vitest';
import { makeNamespace } from '../support/cluster/api.ts';
import { loginOf, page, readyDaemonOf, release } from './release.ts';
it('works', async () => {
  const t = Date.now();
  await makeNamespace('db');
  const r = release('warden', 'db');
  await r.apply({});
  console.log('applied', Date.now() - t);
  const pod = await readyDaemonOf(r);
  console.log('ready', Date.now() - t);
  const got = await page(pod, '/metrics', await loginOf(r, 'prometheus'));
  console.log('scraped', Date.now() - t);
  expect(got.status).toBe(200);
  console.log(await r.helm('test'), Date.now() - t);
}, 40_000);
