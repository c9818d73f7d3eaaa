import { expect, it } from 'vitest';
import { AbortTraces } from '../../src/app/abort-traces.ts';
import type { HeardList } from '../../src/graphdb/overheard.ts';
import { failure } from '../../src/kernel/failure.ts';
import { err, ok } from '../../src/kernel/result.ts';
import type { SpanPlace } from '../../src/model/span.ts';
import { digest } from '../../src/runtime/digest.ts';
import { seededRandom } from '../../src/simulator/chance.ts';
import { queryTrace } from '../../src/trace/places.ts';
import { FakeClock } from '../support/clock.ts';
import { madeCall } from '../support/made-call.ts';
import { SpanBook } from '../support/span-book.ts';

const place = (digit: string) => ({ traceId: digit.repeat(32), spanId: digit.repeat(16) });

/** Traces of aborts that sampling would leave out. */
function scene() {
  const clock = new FakeClock();
  const book = new SpanBook(() => false);
  const linked: SpanPlace[] = [];
  const context = {
    clock,
    random: seededRandom(1),
    digest,
    spans: book,
    linked: (cycle: SpanPlace) => void linked.push(cycle),
  };
  const traces = new AbortTraces(context);
  const at = clock.now();
  const heard = (
    node: string,
    cycle: ReturnType<typeof place> | undefined,
    answer: HeardList['answer'] = ok({}),
  ): void =>
    traces.heard({
      cluster: 'prod',
      node,
      address: '',
      answer,
      started: at,
      received: at,
      ...(cycle === undefined ? {} : { cycle }),
    });
  return { clock, book, traces, heard, linked };
}

it('an abort links to the last cycle that saw what runs on its node, and to the query', async () => {
  const { clock, book, traces, heard, linked } = scene();
  heard('m1', place('1'));
  heard('m1', place('2'));
  heard('m1', place('3'), err(failure('timeout', 'x')));
  heard('m1', undefined);
  heard('m2', place('4'));
  const abort = traces.begin('prod', { node: 'm1', id: 'some.id' });
  abort.called({ ...madeCall, name: 'abort' });
  expect(linked).toEqual([place('2')]);
  await clock.advance(40);
  expect(book.spans).toEqual([]);
  abort.over({ kind: 'taken', aborted: ['some.id'] });
  const [root = expect.fail(), ...calls] = book.spans;
  expect(root.links).toEqual([place('2'), queryTrace('prod', 'some.id', digest)]);
  expect(root.end - root.start).toBe(40);
  expect(calls).toEqual(book.below(root));
  expect(calls).toHaveLength(1);
  expect(JSON.stringify(book.spans)).not.toContain('some.id');
});

it('an abort of which nobody traced the list links to the query alone', () => {
  const { book, traces } = scene();
  traces.begin('prod', { node: 'm1', id: 'i' }).over({ kind: 'unsent', reason: 'canary' });
  expect(book.spans).toMatchObject([{ error: 'unsent', links: [queryTrace('prod', 'i', digest)] }]);
  expect(JSON.stringify(book.spans)).not.toContain('canary');
});

it('cycles are remembered of the nodes that were listed last, however many come and go', () => {
  const { traces, heard, linked } = scene();
  heard('stays', place('1'));
  for (let at = 0; at < 1500; at += 1) {
    heard(`pod${at}`, place('2'));
    heard('stays', place('3'));
  }
  for (const node of ['pod0', 'pod500', 'pod501', 'pod1499', 'stays']) traces.begin('prod', { node, id: 'i' });
  expect(linked).toEqual([place('2'), place('2'), place('3')]);
});
