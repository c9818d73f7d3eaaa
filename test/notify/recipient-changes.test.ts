import { describe, expect, it } from 'vitest';
import { soleOwnership } from '../../src/kernel/ownership.ts';
import { storedNames } from '../../src/notify/outbox/outbox-store.ts';
import type { ReceiverSettings } from '../../src/notify/settings.ts';
import { DeliveryTestbed, firing, settingsOf } from './delivery-testbed.ts';

const byUrl = { one: { recipientKeys: ['url'] } };
const elsewhere: ReceiverSettings = { ...settingsOf('one'), secrets: { url: { file: 'another' } } };

/** An open incident `a` that the receiver accepted. */
async function withOpenIncident(): Promise<DeliveryTestbed> {
  const delivering = await new DeliveryTestbed(byUrl).start();
  await delivering.trigger(firing('a'));
  delivering.receiver().take();
  return delivering;
}

/** Removes the digests of recipients from the stored queues, as if an earlier version had stored them. */
async function forgetRecipients(delivering: DeliveryTestbed): Promise<void> {
  for (const row of await delivering.rows('lanes')) {
    const content: unknown = JSON.parse(String(row[storedNames.content]), (key, value: unknown) =>
      key === 'recipient' ? undefined : value,
    );
    const put = { ...row, [storedNames.content]: JSON.stringify(content) };
    await delivering.store.commit([{ table: 'lanes', put }]);
  }
}

describe('a recipient that a restart changes', () => {
  it('gets the triggers of open incidents once, then the resolve', async () => {
    const delivering = await withOpenIncident();
    delivering.settings = { receivers: [elsewhere] };
    await delivering.restart();
    expect(delivering.receiver().take()).toEqual(['trigger a 1']);
    await delivering.restart();
    expect(delivering.receiver().take()).toEqual([]);
    await delivering.resolve(firing('a'));
    expect(delivering.receiver().story).toEqual(['resolve a 1']);
  });

  it('gets nothing again at the first start with a database of an earlier version', async () => {
    const delivering = await withOpenIncident();
    await forgetRecipients(delivering);
    await delivering.restart();
    expect(delivering.receiver().take()).toEqual([]);
    delivering.settings = { receivers: [elsewhere] };
    await delivering.restart();
    expect(delivering.receiver().story).toEqual(['trigger a 1']);
  });

  it('gets the triggers as soon as its file is readable', async () => {
    const delivering = await withOpenIncident();
    const receiver = delivering.receiver();
    const known = receiver.recipient.bind(receiver);
    receiver.recipient = async () => undefined;
    delivering.settings = { receivers: [elsewhere] };
    await delivering.restart();
    expect(receiver.take()).toEqual([]);
    receiver.recipient = known;
    await delivering.clock.advance(60_000);
    expect(receiver.story).toEqual(['trigger a 1']);
  });
});

it('another content of its file without a reload makes a receiver get the triggers of open incidents', async () => {
  const delivering = await withOpenIncident();
  delivering.receiver().recipient = async () => 'another';
  await delivering.clock.advance(60_000);
  expect(delivering.receiver().story).toEqual(['trigger a 1']);
});

it.each([
  ['the same recipient', [], settingsOf('one')],
  ['another recipient', ['trigger a 1'], elsewhere],
])('a replica with %s that takes a cluster over sends %j', async (_, story, settings) => {
  const owner = await withOpenIncident();
  await owner.deliverer.stop(AbortSignal.abort());
  const owned = new Set<string>();
  const ownership = { ...soleOwnership, isShared: true, owns: (cluster: string) => owned.has(cluster) };
  const taker = await new DeliveryTestbed(byUrl, owner.store, ownership).start();
  await taker.deliverer.reconfigure({ receivers: [settings] });
  await taker.clock.advance(60_000);
  expect(taker.receiver().story).toEqual([]);
  owned.add('');
  await taker.deliverer.adopt(owned);
  await taker.clock.settle();
  expect(taker.receiver().story).toEqual(story);
});
