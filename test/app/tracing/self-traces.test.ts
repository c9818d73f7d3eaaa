import { expect, it } from 'vitest';
import { rules } from '../../../src/alert/rules/all.ts';
import { openSelfTraces } from '../../../src/app/tracing/self-traces.ts';
import { LatestResults } from '../../../src/collect/latest-results.ts';
import { queries } from '../../../src/collect/queries.ts';
import { ok } from '../../../src/kernel/result.ts';
import { digest } from '../../../src/runtime/system-ports.ts';
import { seededRandom } from '../../../src/simulator/seeded-random.ts';
import { firing } from '../../notify/delivery-testbed.ts';
import { neverAborted } from '../../support/client.ts';
import { FakeClock } from '../../support/clock.ts';
import { RecordedSpans } from '../../support/recorded-spans.ts';

/** The cycle number so and so. */
function cycleOf(at: number) {
  return { traceId: String(at).padStart(32, '0'), spanId: 'b'.repeat(16) };
}

const ports = { clock: new FakeClock(), random: seededRandom(1), digest };

function unheard(): void {
  expect.fail('nothing links to it later');
}

const feed = { cluster: 'prod', node: 'm1', definition: queries };

it('self traces › is undefined if tracing is off', () => {
  expect(openSelfTraces(ports, { board: new LatestResults(), rules })).toBe(undefined);
});

it('self traces › links a notification to the latest poll cycle of each collector that its rule needs, in the cluster of the alert', async () => {
  const board = new LatestResults();
  const recordedSpans = new RecordedSpans();
  const at = ports.clock.now();
  for (const cluster of ['prod', 'test']) {
    const cycle = { traceId: cluster.padStart(32, '0'), spanId: cluster.padStart(16, '0') };
    const reading = { result: ok(1), source: 'm1', started: at, ended: at, cycle };
    board.record({ cluster, collector: 'queries', node: 'm1' }, reading, 1000);
  }
  const own = openSelfTraces({ ...ports, spans: recordedSpans }, { board, rules });
  const cycle = { traceId: 'prod'.padStart(32, '0'), spanId: 'prod'.padStart(16, '0') };
  const later: string[] = [];
  expect(own?.isLinked(cycle, () => later.push('linked'))).toBe(false);
  const alert = { ...firing('a'), rule: 'query_overdue', labels: { cluster_name: 'prod', node: 'm1' } };
  own?.onNotification({ kind: 'trigger', alert, isReminder: false, to: [], due: 0 });
  expect(later).toEqual(['linked']);
  expect(own?.isLinked(cycle, unheard)).toBe(true);
  const traits = { maxBatch: 1, minInterval: 0, acceptsDigests: true, isLevelTriggered: false };
  const notifier = own?.trace('mail', {
    traits,
    send: async () => ({ kind: 'accepted' }),
    recipient: async () => 'someone',
    close: async () => undefined,
  });
  await notifier?.send({ kind: 'alerts', group: {}, alerts: [alert], isReminder: false }, 'full', 0, neverAborted());
  expect(recordedSpans.spans.map(({ links }) => links.map(({ spanId }) => spanId))).toEqual([
    ['prod'.padStart(16, '0')],
  ]);
});

it('self traces › does not keep a cycle permanently because a span links to it', () => {
  const own = openSelfTraces({ ...ports, spans: new RecordedSpans() }, { board: new LatestResults(), rules });
  for (let at = 0; at <= 1000; at += 1) {
    own?.aborts.onPollResult(feed, { result: ok({ raw: {} }), cycle: cycleOf(at) });
    own?.aborts.begin('prod', { node: 'm1', id: 'i' });
  }
  expect([0, 1, 1000].map((at) => own?.isLinked(cycleOf(at), unheard))).toEqual([false, true, true]);
});

it('self traces › notifies only the latest finished cycle, and only once, that a span links to it', () => {
  const own =
    openSelfTraces({ ...ports, spans: new RecordedSpans() }, { board: new LatestResults(), rules }) ?? expect.fail();
  const reported: number[] = [];
  for (let at = 0; at <= 100; at += 1) expect(own.isLinked(cycleOf(at), () => reported.push(at))).toBe(false);
  for (const at of [0, 1, 1, 100]) {
    own.aborts.onPollResult(feed, { result: ok({ raw: {} }), cycle: cycleOf(at) });
    own.aborts.begin('prod', { node: 'm1', id: 'i' });
  }
  expect(reported).toEqual([1, 100]);
});
