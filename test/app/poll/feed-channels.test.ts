import { expect, it } from 'vitest';
import { CollectorStatus } from '../../../src/app/poll/collector-status.ts';
import { type FeedChannel, FeedChannels } from '../../../src/app/poll/feed-channels.ts';
import { SampleCapture } from '../../../src/app/poll/sample-capture.ts';
import { IdentityCheck } from '../../../src/collect/identity-check.ts';
import { KeptSamples } from '../../../src/collect/kept-samples.ts';
import { SerialQueue } from '../../../src/kernel/serial-queue.ts';
import { clusterOf } from '../fakes.ts';
import { feed } from './pipeline-setup.ts';

function channel(cluster: string, node: string): FeedChannel {
  return {
    feed: feed('health', node, clusterOf(cluster, ['m1', 'm2'])),
    status: new CollectorStatus(),
    keptSamples: new KeptSamples(),
    identities: new IdentityCheck(() => true),
    capture: new SampleCapture(new Set()),
    queue: new SerialQueue(),
  };
}

it('feed channels › finds the channels of a target and of a cluster, until they are removed', () => {
  const channels = new FeedChannels();
  const [first, second, other] = [channel('prod', 'm1'), channel('prod', 'm2'), channel('test', 'm1')];
  for (const one of [first, second, other]) channels.add(one);
  expect([...channels.all()]).toEqual([first, second, other]);
  expect([...channels.of('prod')]).toEqual([first, second]);
  expect(channels.get({ cluster: 'test', collector: 'health', node: 'm1' })).toBe(other);
  channels.delete(first);
  expect([...channels.of('prod')]).toEqual([second]);
  channels.delete(second);
  expect([...channels.of('prod')]).toEqual([]);
  expect(channels.get(first.feed)).toBeUndefined();
  expect([...channels.all()]).toEqual([other]);
});
