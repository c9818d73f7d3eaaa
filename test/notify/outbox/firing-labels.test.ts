import { expect, it } from 'vitest';
import type { Alert } from '../../../src/model/alert.ts';
import { withFiringLabels } from '../../../src/notify/outbox/firing-labels.ts';
import { DeliveryTestbed, firing } from '../delivery-testbed.ts';

const [node, partition, service] = ['node', 'partition', 'service'].map((alertname) => ({ alertname }));

function alertOf(key: string, more: Partial<Alert>): Alert {
  return { ...firing(key), ...more };
}

it('former labels are not resolved while another incident fires with them', () => {
  const continued = alertOf('a', { labels: { ...partition }, formerLabels: [{ labels: { ...node }, endsAt: 5 }] });
  const again = alertOf('b', { labels: { ...node } });
  expect(withFiringLabels([continued], [continued, again])).toEqual([{ ...continued, formerLabels: [] }]);
  expect(withFiringLabels([continued], [continued])).toEqual([continued]);
});

it('labels of a resolved incident stay firing while another incident fires with them, or has them as an effect', () => {
  const { status: _, ...ended } = alertOf('a', { labels: { ...service }, formerLabels: [{ labels: { ...node } }] });
  const resolved: Alert = { ...ended, status: 'resolved', endsAt: 9 };
  const formerLabels = [{ labels: { ...node }, endsAt: 9 }];
  const other = alertOf('b', { labels: { ...partition }, formerLabels: [{ labels: { ...service } }] });
  expect(withFiringLabels([resolved], [resolved, other])).toEqual([{ ...ended, status: 'firing', formerLabels }]);
  expect(withFiringLabels([resolved], [resolved])).toEqual([{ ...resolved, formerLabels }]);
});

it('alerts without former labels are the same', () => {
  const alerts = [firing('a'), firing('b')];
  expect(withFiringLabels(alerts, alerts)).toBe(alerts);
});

it('a refresh of one incident does not resolve the labels with which another one fires', async () => {
  const traits = { isLevelTriggered: true, maxBatch: 1, acceptsDigests: false };
  const delivering = await new DeliveryTestbed({ one: traits, two: { acceptsDigests: false } }).start();
  const former = { formerLabels: [{ labels: { ...node }, endsAt: 5 }] };
  const to = [{}, { receiver: 'two' }];
  await delivering.trigger(alertOf('a', { labels: { ...partition }, ...former }), { to });
  await delivering.trigger(alertOf('b', { labels: { ...node } }), { to });
  delivering.receiver().take();
  await delivering.clock.advance(90_000);
  const sent = delivering.receiver().sent.map(({ request }) => request.kind === 'alerts' && request.alerts[0]);
  expect(sent).toMatchObject([{ key: 'a', formerLabels: [] }, { key: 'b' }]);
  expect(delivering.receiver('two').sent[0]?.request).toMatchObject({ alerts: [former] });
});

it('a suppressed incident is refreshed with its present labels', async () => {
  const traits = { isLevelTriggered: true, acceptsDigests: false };
  const delivering = await new DeliveryTestbed({ one: traits }).start();
  await delivering.trigger(alertOf('a', { labels: { ...node }, revision: 1 }));
  delivering.receiver().take();
  await delivering.suppress(alertOf('a', { labels: { ...partition }, revision: 2 }));
  await delivering.clock.advance(90_000);
  expect(delivering.receiver().sent).toMatchObject([{ request: { alerts: [{ labels: { ...partition } }] } }]);
  // The receiver was not notified of the change.
  await delivering.trigger(alertOf('a', { labels: { ...partition }, revision: 2 }));
  expect(delivering.receiver().story.at(-1)).toBe('update a 1');
});
