import { expect, it } from 'vitest';
import { type ClusterPoll, pollCluster } from '../../../src/app/poll/cluster-poll.ts';
import type { PollResult } from '../../../src/collect/poll-runner.ts';
import { type FailureReason, failure } from '../../../src/kernel/failure.ts';
import { err, ok } from '../../../src/kernel/result.ts';
import { FakeClock } from '../../support/clock.ts';
import { fakeCollectors } from '../fake-collectors.ts';
import { FakeClusters, settingsOf } from '../fakes.ts';

const clock = new FakeClock();
const bad = (reason: FailureReason) => err(failure(reason, reason));

/** Asks nodes that answer by a script; undefined for one whose permit is held. */
async function poll(
  script: Readonly<Record<string, PollResult['result'] | undefined>>,
  { collector: name = 'load', ...more }: Partial<ClusterPoll> & { readonly collector?: string } = {},
) {
  const polled: string[] = [];
  const collector = fakeCollectors(new FakeClusters()).find((one) => one.name === name) ?? expect.fail();
  const reading = await pollCluster({
    cluster: 'prod',
    planned: { collector, settings: settingsOf(collector) },
    nodes: Object.keys(script),
    clock,
    pollNode: async (node) => {
      polled.push(node);
      await clock.advance(10);
      const result = script[node];
      return result && { result, source: node, started: clock.now(), ended: clock.now() };
    },
    isStopped: () => false,
    ...more,
  });
  return { polled, reading };
}

it('a cluster poll ends with the first node that answers, and returns the nodes that failed', async () => {
  const started = clock.now();
  const { polled, reading } = await poll({ m1: bad('timeout'), m2: undefined, m3: ok(3), m4: ok(4) });
  expect(polled).toEqual(['m1', 'm2', 'm3']);
  expect(reading).toMatchObject({ result: ok(3), source: 'm3', started });
  expect(reading?.failedAttempts).toEqual([{ node: 'm1', error: failure('timeout', 'timeout') }]);
});

it('a poll reports the first failure of all nodes', async () => {
  const { reading } = await poll({ m1: bad('auth'), m2: bad('timeout') });
  expect(reading).toMatchObject({ result: bad('auth'), source: 'm1', ended: clock.now() });
  expect(reading?.failedAttempts?.map(({ node }) => node)).toEqual(['m1', 'm2']);
});

it('a poll that fails on all nodes returns the part of the facts that the first of them has', async () => {
  const [some, others] = [
    { ...bad('status'), partial: 7 },
    { ...bad('body'), partial: 8 },
  ];
  const { polled, reading } = await poll({ m1: bad('unreachable'), m2: some, m3: others });
  expect(polled).toEqual(['m1', 'm2', 'm3']);
  expect(reading).toMatchObject({ result: some, source: 'm2', ended: clock.now() });
  expect(reading?.failedAttempts?.map(({ node }) => node)).toEqual(['m1', 'm2', 'm3']);
});

it('a cluster poll has no result while all permits are held', async () => {
  expect(await poll({ m1: undefined, m2: undefined })).toEqual({ polled: ['m1', 'm2'], reading: undefined });
});

it('a cluster poll fails without a known node', async () => {
  const { reading } = await poll({});
  expect(reading).toMatchObject({ result: { ok: false, error: { reason: 'unreachable' } }, source: '' });
});

it('a cluster poll tries no other node after an abort or after a heavy check that timed out', async () => {
  expect((await poll({ m1: bad('timeout'), m2: ok(2) }, { collector: 'check' })).polled).toEqual(['m1']);
  expect((await poll({ m1: bad('status'), m2: ok(2) }, { collector: 'check' })).polled).toEqual(['m1', 'm2']);
  expect((await poll({ m1: ok(1) }, { isStopped: () => true })).polled).toEqual([]);
});
