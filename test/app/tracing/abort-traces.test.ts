import { expect, it } from 'vitest';
import { AbortTraces } from '../../../src/app/tracing/abort-traces.ts';
import { queries } from '../../../src/collect/queries.ts';
import { type Failure, failure } from '../../../src/kernel/failure.ts';
import { err, ok, type Result } from '../../../src/kernel/result.ts';
import type { SpanReference } from '../../../src/model/span.ts';
import { digest } from '../../../src/runtime/system-ports.ts';
import { seededRandom } from '../../../src/simulator/seeded-random.ts';
import { querySpanContext } from '../../../src/trace/span-context.ts';
import { FakeClock } from '../../support/clock.ts';
import { completedCall } from '../../support/completed-call.ts';
import { RecordedSpans } from '../../support/recorded-spans.ts';

const contextOf = (digit: string) => ({ traceId: digit.repeat(32), spanId: digit.repeat(16) });

/** Traces of aborts that are not sampled. */
function setup() {
  const clock = new FakeClock();
  const recordedSpans = new RecordedSpans(() => false);
  const linked: SpanReference[] = [];
  const context = {
    clock,
    random: seededRandom(1),
    digest,
    spans: recordedSpans,
    linked: (cycle: SpanReference) => void linked.push(cycle),
  };
  const traces = new AbortTraces(context);
  const received = (
    node: string,
    cycle: ReturnType<typeof contextOf> | undefined,
    result: Result<unknown, Failure> = ok({ raw: {} }),
  ): void => traces.onPollResult({ cluster: 'prod', node, definition: queries }, { result, ...(cycle && { cycle }) });
  return { clock, recordedSpans: recordedSpans, traces, received, linked };
}

it('an abort links to the latest poll cycle with the process list of its node, and to the query', async () => {
  const { clock, recordedSpans, traces, received, linked } = setup();
  received('m1', contextOf('1'));
  received('m1', contextOf('2'));
  received('m1', contextOf('3'), err(failure('timeout', 'x')));
  received('m1', undefined);
  received('m2', contextOf('4'));
  const abort = traces.begin('prod', { node: 'm1', id: 'some.id' });
  abort.onCall({ ...completedCall, name: 'abort' });
  expect(linked).toEqual([contextOf('2')]);
  await clock.advance(40);
  expect(recordedSpans.spans).toEqual([]);
  abort.finish({ kind: 'accepted', aborted: ['some.id'] });
  const [root = expect.fail(), ...calls] = recordedSpans.spans;
  expect(root.links).toEqual([contextOf('2'), querySpanContext('prod', 'some.id', digest)]);
  expect(root.end - root.start).toBe(40);
  expect(calls).toEqual(recordedSpans.childrenOf(root));
  expect(calls).toHaveLength(1);
  expect(JSON.stringify(recordedSpans.spans)).not.toContain('some.id');
});

it('an abort links only to the query if the list was not traced', () => {
  const { recordedSpans, traces } = setup();
  traces.begin('prod', { node: 'm1', id: 'i' }).finish({ kind: 'unsent', reason: 'canary' });
  expect(recordedSpans.spans).toMatchObject([{ error: 'unsent', links: [querySpanContext('prod', 'i', digest)] }]);
  expect(JSON.stringify(recordedSpans.spans)).not.toContain('canary');
});

it('poll cycles are kept for the latest nodes only', () => {
  const { traces, received, linked } = setup();
  received('stays', contextOf('1'));
  for (let at = 0; at < 1500; at += 1) {
    received(`pod${at}`, contextOf('2'));
    received('stays', contextOf('3'));
  }
  for (const node of ['pod0', 'pod500', 'pod501', 'pod1499', 'stays']) traces.begin('prod', { node, id: 'i' });
  expect(linked).toEqual([contextOf('2'), contextOf('2'), contextOf('3')]);
});
