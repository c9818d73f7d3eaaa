import { expect, it } from 'vitest';
import { startAlertmanager } from './alertmanager.ts';
import { eventually } from './child.ts';
import { send } from './http.ts';
import { findTool } from './tools.ts';

it.skipIf(findTool('prometheus-alertmanager') === undefined)(
  'Alertmanager of the tests returns firing alerts, and keeps no state',
  async () => {
    const alertmanager = await startAlertmanager();
    const alert = { labels: { alertname: 'Gone', node: 'm1' }, annotations: { summary: 'm1 is gone' } };
    const post = (body: string) => send(`${alertmanager.url}/api/v2/alerts`, { method: 'POST', body, headers: json });
    const json = { 'content-type': 'application/json' };
    expect((await post(JSON.stringify([alert]))).status).toBe(200);
    const found = await eventually('it shows the alert', async () => {
      const [one] = await alertmanager.alerts('alertname="Gone"', 'node="m1"');
      return one;
    });
    expect(found).toMatchObject(alert);
    expect(await alertmanager.alerts('node="m2"')).toEqual([]);
    await alertmanager.stop();
    await expect(alertmanager.alerts()).rejects.toThrow('ECONNREFUSED');
    await alertmanager.start();
    expect(await alertmanager.alerts()).toEqual([]);
  },
);
