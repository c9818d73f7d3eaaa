import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import type { SimulatedReceivers } from '../../src/simulator/receivers/receivers.ts';
import { startAlertmanager } from '../support/alertmanager.ts';
import { eventually } from '../support/child.ts';
import { type Reply, send } from '../support/http.ts';
import { startSimulatedReceivers } from '../support/simulated-receivers.ts';
import { findTool } from '../support/tools.ts';

const missing = findTool('prometheus-alertmanager') === undefined;

async function fake(kind: string): Promise<{ readonly receivers: SimulatedReceivers; readonly url: string }> {
  const receivers = await startSimulatedReceivers([{ name: 'fake', kind }], { listen, clock: systemClock });
  onTestFinished(() => receivers.close());
  return { receivers, url: receivers.all[0]?.url ?? '' };
}

/** The status, and the sentence of what is at fault where it is the alerts. */
function answerOf(reply: Reply | undefined): readonly unknown[] {
  return [reply?.status, reply?.text.startsWith('"') === true ? reply.text.trim() : ''];
}

const at = (offset: number): string => new Date(Date.now() + offset).toISOString();
const labels = { alertname: 'Gone', node: 'm1' };
const fires = { labels, annotations: { summary: 'm1 is gone' }, startsAt: at(-1000), endsAt: at(900_000) };

describe.skipIf(missing)('the fake Alertmanager answers as the real one', () => {
  it('for valid, partly valid and invalid requests', async () => {
    const [real, { receivers, url }] = await Promise.all([startAlertmanager(), fake('alertmanager')]);
    const both = async (body: unknown): Promise<readonly Reply[]> => {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const options = { method: 'POST', body: text, headers: { 'content-type': 'application/json' } };
      return Promise.all([real.url, url].map((base) => send(`${base}/api/v2/alerts`, options)));
    };
    const nameless = { labels: { node: '' } };
    const backwards = { ...fires, labels: { alertname: 'Backwards' }, startsAt: at(0), endsAt: at(-9) };
    const misnamed = { ...fires, labels: { 'no-name': 'x' } };
    for (const body of [
      'oops',
      '{}',
      [],
      [{}],
      [{ labels: { node: 1 } }],
      [{ labels, endsAt: 'tomorrow' }],
      [nameless],
      [backwards],
      [misnamed, nameless, fires],
      [fires],
    ]) {
      const [one, other] = await both(body);
      expect(answerOf(other)).toEqual(answerOf(one));
    }
    const kept = receivers.requests().flatMap((request) => (request.isAccepted ? request.notifications : []));
    expect([...new Set(kept.map(({ key }) => key))]).toEqual(['alertname="Gone",node="m1"']);
    expect((await real.alerts()).map((alert) => alert.labels)).toEqual([labels]);
  });
});

describe.skipIf(missing)('the fake webhook', () => {
  it('the simulated receiver accepts the requests of Alertmanager', async () => {
    const { receivers, url } = await fake('webhook');
    const real = await startAlertmanager(url);
    const post = (alert: object) =>
      send(`${real.url}/api/v2/alerts`, {
        method: 'POST',
        body: JSON.stringify([alert]),
        headers: { 'content-type': 'application/json' },
      });
    const actions = () =>
      receivers.requests().flatMap(({ notifications }) => notifications.map(({ action }) => action));
    await post(fires);
    await eventually('the trigger arrives', async () => actions().includes('trigger'));
    await post({ ...fires, endsAt: at(0) });
    await eventually('the resolve arrives', async () => actions().includes('resolve'));
    const [first, last] = [receivers.requests()[0], receivers.requests().at(-1)];
    expect(first).toMatchObject({ status: 200, isAccepted: true, notifications: [{ summary: 'm1 is gone' }] });
    expect(last?.notifications[0]?.key).toBe(first?.notifications[0]?.key);
  });
});
