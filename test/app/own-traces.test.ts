import { expect, it } from 'vitest';
import { rules } from '../../src/alert/rules/all.ts';
import { openOwnTraces } from '../../src/app/own-traces.ts';
import { Board } from '../../src/collect/board.ts';
import { ok } from '../../src/kernel/result.ts';
import { digest } from '../../src/runtime/digest.ts';
import { seededRandom } from '../../src/simulator/chance.ts';
import { firing } from '../notify/delivering.ts';
import { patient } from '../support/client.ts';
import { FakeClock } from '../support/clock.ts';
import { SpanBook } from '../support/span-book.ts';

/** The cycle number so and so. */
function cycleOf(at: number) {
  return { traceId: String(at).padStart(32, '0'), spanId: 'b'.repeat(16) };
}

const ports = { clock: new FakeClock(), random: seededRandom(1), digest };

function unheard(): void {
  expect.fail('nothing links to it later');
}

it('is nothing where nobody traces', () => {
  expect(openOwnTraces(ports, new Board(), rules)).toBe(undefined);
});

it('leads from what a receiver is told to the latest cycle of what its rule needs, in its own cluster', async () => {
  const board = new Board();
  const book = new SpanBook();
  const at = ports.clock.now();
  for (const cluster of ['prod', 'test']) {
    const cycle = { traceId: cluster.padStart(32, '0'), spanId: cluster.padStart(16, '0') };
    const reading = { result: ok(1), source: 'm1', started: at, ended: at, cycle };
    board.note({ cluster, collector: 'queries', node: 'm1' }, reading, 1000);
  }
  const own = openOwnTraces({ ...ports, spans: book }, board, rules);
  const cycle = { traceId: 'prod'.padStart(32, '0'), spanId: 'prod'.padStart(16, '0') };
  const later: string[] = [];
  expect(own?.isLinked(cycle, () => later.push('linked'))).toBe(false);
  const alert = { ...firing('a'), rule: 'query_overdue', labels: { cluster_name: 'prod', node: 'm1' } };
  own?.noticed({ kind: 'trigger', alert, again: false, to: [], due: 0 });
  expect(later).toEqual(['linked']);
  expect(own?.isLinked(cycle, unheard)).toBe(true);
  const traits = { batch: 1, spacing: 0, takesDigests: true, forgets: false };
  const notifier = own?.follow('mail', {
    traits,
    send: async () => ({ kind: 'accepted' }),
    close: async () => undefined,
  });
  await notifier?.send({ kind: 'alerts', group: {}, alerts: [alert], again: false }, 'full', 0, patient());
  expect(book.spans.map(({ links }) => links.map(({ spanId }) => spanId))).toEqual([['prod'.padStart(16, '0')]]);
});

it('keeps no cycle for ever because something linked to it', () => {
  const own = openOwnTraces({ ...ports, spans: new SpanBook() }, new Board(), rules);
  for (let at = 0; at <= 1000; at += 1) {
    const instant = { wall: at, mono: at };
    const list = { cluster: 'prod', node: 'm1', address: '', answer: ok({}), started: instant, received: instant };
    own?.aborts.heard({ ...list, cycle: cycleOf(at) });
    own?.aborts.begin('prod', { node: 'm1', id: 'i' });
  }
  expect([0, 1, 1000].map((at) => own?.isLinked(cycleOf(at), unheard))).toEqual([false, true, true]);
});

it('tells a cycle that is over already that something links to it, once, and of the latest alone', () => {
  const own = openOwnTraces({ ...ports, spans: new SpanBook() }, new Board(), rules) ?? expect.fail();
  const told: number[] = [];
  for (let at = 0; at <= 100; at += 1) expect(own.isLinked(cycleOf(at), () => told.push(at))).toBe(false);
  const instant = { wall: 0, mono: 0 };
  for (const at of [0, 1, 1, 100]) {
    const list = { cluster: 'prod', node: 'm1', address: '', answer: ok({}), started: instant, received: instant };
    own.aborts.heard({ ...list, cycle: cycleOf(at) });
    own.aborts.begin('prod', { node: 'm1', id: 'i' });
  }
  expect(told).toEqual([1, 100]);
});
