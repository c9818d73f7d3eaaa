import { describe, expect, it } from 'vitest';
import { beginCycle, type OpenCycle } from '../../src/app/open-cycle.ts';
import { Board } from '../../src/collect/board.ts';
import type { Reading } from '../../src/collect/runner.ts';
import type { MadeCall } from '../../src/graphdb/made-call.ts';
import { failure } from '../../src/kernel/failure.ts';
import { err, ok } from '../../src/kernel/result.ts';
import type { SpanPlace } from '../../src/model/span.ts';
import { seededRandom } from '../../src/simulator/chance.ts';
import { FakeClock } from '../support/clock.ts';
import { madeCall as call } from '../support/made-call.ts';
import { SpanBook } from '../support/span-book.ts';

const of = { cluster: 'prod', collector: 'queries', node: 'm1' };
const instant = { wall: 0, mono: 0 };
const good: Reading = { result: ok(1), source: 'm1', started: instant, ended: instant };
const bad: Reading = { ...good, result: err(failure('timeout', 'canary')) };

/** Cycles of one place, one after the other. */
function scene(book = new SpanBook()) {
  const board = new Board();
  const clock = new FakeClock();
  const exemplars: string[] = [];
  const linked = new Set<SpanPlace>();
  const late: (() => void)[] = [];
  const isLinked = (cycle: SpanPlace, whenLinked: () => void): boolean => {
    late.push(whenLinked);
    return linked.has(cycle);
  };
  const calls = {
    exemplify: (cluster: string, { node, resends }: MadeCall, { spanId }: SpanPlace) =>
      void exemplars.push(`${cluster} ${node} ${resends} ${spanId}`),
  };
  const context = { board, clock, random: seededRandom(1), spans: book, calls, isLinked };
  const begin = (): OpenCycle => beginCycle(of, 2000, context) ?? expect.fail();
  const end = (cycle: OpenCycle, reading: Reading): void => {
    board.note(of, { ...reading, cycle: cycle.cycle }, 1000);
    cycle.over(good, { reading, series: 3 });
  };
  return { clock, book, begin, end, exemplars, linked, late };
}

describe('a cycle', () => {
  it('is nothing where nobody traces', () => {
    const { clock } = scene();
    const calls = { exemplify: () => expect.fail('nothing is traced') };
    const context = { board: new Board(), clock, random: seededRandom(1), calls, isLinked: () => false };
    expect(beginCycle(of, 1000, context)).toBe(undefined);
  });

  it('hands its trace over when it is over, and no sooner', () => {
    const { book, begin, end, exemplars } = scene();
    const cycle = begin();
    cycle.called(call);
    cycle.called({ ...call, resends: 1 });
    expect([book.spans, exemplars]).toEqual([[], []]);
    end(cycle, good);
    const [root = expect.fail()] = book.roots('collect queries');
    expect(root.attributes).toMatchObject({ 'graphwarden.outcome': 'good', 'graphwarden.series': 3 });
    expect(book.below(root).map(({ name }) => name)).toEqual(['GET /restpp/echo', 'GET /restpp/echo']);
    expect(book.spans).toHaveLength(3);
    const [first, second] = book.below(root).map(({ spanId }) => spanId);
    expect(exemplars).toEqual([`prod m1 0 ${first}`, `prod m1 1 ${second}`]);
  });

  it('puts the calls of an attempt below its node', async () => {
    const { book, begin, end } = scene();
    const cycle = begin();
    await cycle.attempt('m1', async (watch) => {
      expect(watch.cycle).toEqual(cycle.cycle);
      watch.called(call);
      return bad;
    });
    expect(await cycle.attempt('m2', async () => good)).toBe(good);
    end(cycle, good);
    const [root = expect.fail()] = book.roots('collect queries');
    const tries = book.below(root);
    expect(tries.map(({ error, attributes }) => [attributes['graphwarden.node'], error])).toEqual([
      ['m1', 'timeout'],
      ['m2', undefined],
    ]);
    expect(book.below(tries[0] ?? root)).toHaveLength(1);
  });

  it('links to the one before where that failed, and to no earlier one', () => {
    const { book, begin, end } = scene();
    const cycles = [good, bad, bad, good, good].map((reading) => {
      const cycle = begin();
      end(cycle, reading);
      return cycle.cycle;
    });
    const links = book.roots('collect queries').map((span) => span.links);
    expect(links).toEqual([[], [], [cycles[1]], [cycles[2]], []]);
  });

  it('shows no message of a failure', () => {
    const { book, begin, end } = scene();
    end(begin(), bad);
    expect(JSON.stringify(book.spans)).toContain('timeout');
    expect(JSON.stringify(book.spans)).not.toContain('canary');
  });

  it('that sampling leaves out is kept if it failed or was slow, with what comes late', async () => {
    const { clock, book, begin, end, exemplars } = scene(new SpanBook(() => false));
    const quick = begin();
    quick.called(call);
    end(quick, good);
    quick.called(call);
    expect([book.spans, exemplars]).toEqual([[], []]);
    const failed = begin();
    end(failed, bad);
    failed.called(call);
    const slow = begin();
    await clock.advance(1000);
    end(slow, good);
    expect(book.spans.map(({ traceId, name }) => [traceId, name])).toEqual([
      [failed.cycle.traceId, 'collect queries'],
      [failed.cycle.traceId, 'GET /restpp/echo'],
      [slow.cycle.traceId, 'collect queries'],
    ]);
  });

  it('that sampling leaves out is kept if something links to it by then', () => {
    const { book, begin, end, linked } = scene(new SpanBook(() => false));
    const [seen, other] = [begin(), begin()];
    linked.add(seen.cycle);
    end(seen, good);
    end(other, good);
    expect(book.spans.map(({ traceId }) => traceId)).toEqual([seen.cycle.traceId]);
  });

  it('that sampling leaves out is handed over when something links to it soon after, once', () => {
    const { book, begin, end, late } = scene(new SpanBook(() => false));
    const [seen, other] = [begin(), begin()];
    seen.called(call);
    end(seen, good);
    end(other, good);
    expect(book.spans).toEqual([]);
    late[0]?.();
    late[0]?.();
    expect(book.spans.map(({ traceId, name }) => [traceId, name])).toEqual([
      [seen.cycle.traceId, 'collect queries'],
      [seen.cycle.traceId, 'GET /restpp/echo'],
    ]);
  });

  it('says that a part of a failed reading is shown', () => {
    const { book, begin, end } = scene();
    end(begin(), { ...bad, result: { ok: false, error: failure('auth', 'x'), partial: 1 } });
    expect(book.spans[0]?.attributes['graphwarden.outcome']).toBe('partial');
  });
});
