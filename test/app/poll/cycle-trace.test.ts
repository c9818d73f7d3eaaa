import { describe, expect, it } from 'vitest';
import { type CycleTrace, type CycleTraceContext, startCycleTrace } from '../../../src/app/poll/cycle-trace.ts';
import { LatestResults } from '../../../src/collect/latest-results.ts';
import type { PollResult } from '../../../src/collect/poll-runner.ts';
import { probeCollector } from '../../../src/collect/probes/probe-collector.ts';
import { probesSection } from '../../../src/collect/probes/settings.ts';
import type { CompletedCall } from '../../../src/graphdb/completed-call.ts';
import { failure } from '../../../src/kernel/failure.ts';
import { err, ok } from '../../../src/kernel/result.ts';
import type { SpanReference } from '../../../src/model/span.ts';
import { seededRandom } from '../../../src/simulator/seeded-random.ts';
import { FakeClock } from '../../support/clock.ts';
import { completedCall as call } from '../../support/completed-call.ts';
import { RecordedSpans } from '../../support/recorded-spans.ts';

const of = { cluster: 'prod', collector: 'queries', node: 'm1' };
const instant = { wall: 0, mono: 0 };
const good: PollResult = { result: ok(1), source: 'm1', started: instant, ended: instant };
const bad: PollResult = { ...good, result: err(failure('timeout', 'canary')) };

/** Cycles of one place, one after the other. */
function setup(recordedSpans = new RecordedSpans()) {
  const board = new LatestResults();
  const clock = new FakeClock();
  const exemplars: string[] = [];
  const linked = new Set<SpanReference>();
  const late: (() => void)[] = [];
  const isLinked = (cycle: SpanReference, whenLinked: () => void): boolean => {
    late.push(whenLinked);
    return linked.has(cycle);
  };
  const calls = {
    addExemplar: (cluster: string, { node, retries }: CompletedCall, { spanId }: SpanReference) =>
      void exemplars.push(`${cluster} ${node} ${retries} ${spanId}`),
  };
  const context = { board, clock, random: seededRandom(1), spans: recordedSpans, calls, isLinked };
  const begin = (): CycleTrace =>
    startCycleTrace({ target: of, collector: {}, timeout: 2000 }, context) ?? expect.fail();
  const end = (cycle: CycleTrace, pollResult: PollResult): void => {
    board.record(of, { ...pollResult, cycle: cycle.cycle }, 1000);
    cycle.finish(good, { pollResult, series: 3 });
  };
  return { clock, recordedSpans: recordedSpans, begin, end, exemplars, linked, late };
}

describe('a cycle', () => {
  it('is undefined if tracing is off', () => {
    const { clock } = setup();
    const calls = { addExemplar: () => expect.fail('nothing is traced') };
    const context = { board: new LatestResults(), clock, random: seededRandom(1), calls, isLinked: () => false };
    expect(startCycleTrace({ target: of, collector: {}, timeout: 1000 }, context)).toBe(undefined);
  });

  it('passes its trace on when it ends, and not earlier', () => {
    const { recordedSpans, begin, end, exemplars } = setup();
    const cycle = begin();
    cycle.onCall(call);
    cycle.onCall({ ...call, retries: 1 });
    expect([recordedSpans.spans, exemplars]).toEqual([[], []]);
    end(cycle, good);
    const [root = expect.fail()] = recordedSpans.roots('collect queries');
    expect(root.attributes).toMatchObject({ 'graphwarden.outcome': 'good', 'graphwarden.series': 3 });
    expect(recordedSpans.childrenOf(root).map(({ name }) => name)).toEqual(['GET /restpp/echo', 'GET /restpp/echo']);
    expect(recordedSpans.spans).toHaveLength(3);
    const [first, second] = recordedSpans.childrenOf(root).map(({ spanId }) => spanId);
    expect(exemplars).toEqual([`prod m1 0 ${first}`, `prod m1 1 ${second}`]);
  });

  it('puts the calls of an attempt below its node', async () => {
    const { recordedSpans, begin, end } = setup();
    const cycle = begin();
    await cycle.traceAttempt('m1', async (observer) => {
      expect(observer.cycle).toEqual(cycle.cycle);
      observer.onCall(call);
      return bad;
    });
    expect(await cycle.traceAttempt('m2', async () => good)).toBe(good);
    end(cycle, good);
    const [root = expect.fail()] = recordedSpans.roots('collect queries');
    const tries = recordedSpans.childrenOf(root);
    expect(tries.map(({ error, attributes }) => [attributes['graphwarden.node'], error])).toEqual([
      ['m1', 'timeout'],
      ['m2', undefined],
    ]);
    expect(recordedSpans.childrenOf(tries[0] ?? root)).toHaveLength(1);
  });

  it('links to the previous cycle if that failed, and to no earlier one', () => {
    const { recordedSpans, begin, end } = setup();
    const cycles = [good, bad, bad, good, good].map((reading) => {
      const cycle = begin();
      end(cycle, reading);
      return cycle.cycle;
    });
    const links = recordedSpans.roots('collect queries').map((span) => span.links);
    expect(links).toEqual([[], [], [cycles[1]], [cycles[2]], []]);
  });

  it('contains no failure message', () => {
    const { recordedSpans, begin, end } = setup();
    end(begin(), bad);
    expect(JSON.stringify(recordedSpans.spans)).toContain('timeout');
    expect(JSON.stringify(recordedSpans.spans)).not.toContain('canary');
  });

  it('that is not sampled is kept with late spans if it failed or was slow', async () => {
    const { clock, recordedSpans, begin, end, exemplars } = setup(new RecordedSpans(() => false));
    const quick = begin();
    quick.onCall(call);
    end(quick, good);
    quick.onCall(call);
    expect([recordedSpans.spans, exemplars]).toEqual([[], []]);
    const failed = begin();
    end(failed, bad);
    failed.onCall(call);
    const slow = begin();
    await clock.advance(1000);
    end(slow, good);
    expect(recordedSpans.spans.map(({ traceId, name }) => [traceId, name])).toEqual([
      [failed.cycle.traceId, 'collect queries'],
      [failed.cycle.traceId, 'GET /restpp/echo'],
      [slow.cycle.traceId, 'collect queries'],
    ]);
  });

  it('that is not sampled is kept if another span links to it before its end', () => {
    const { recordedSpans, begin, end, linked } = setup(new RecordedSpans(() => false));
    const [seen, other] = [begin(), begin()];
    linked.add(seen.cycle);
    end(seen, good);
    end(other, good);
    expect(recordedSpans.spans.map(({ traceId }) => traceId)).toEqual([seen.cycle.traceId]);
  });

  it('that is not sampled is exported once if another span links to it soon after its end', () => {
    const { recordedSpans, begin, end, late } = setup(new RecordedSpans(() => false));
    const [seen, other] = [begin(), begin()];
    seen.onCall(call);
    end(seen, good);
    end(other, good);
    expect(recordedSpans.spans).toEqual([]);
    late[0]?.();
    late[0]?.();
    expect(recordedSpans.spans.map(({ traceId, name }) => [traceId, name])).toEqual([
      [seen.cycle.traceId, 'collect queries'],
      [seen.cycle.traceId, 'GET /restpp/echo'],
    ]);
  });

  it('states that the partial value of a failed poll is used', () => {
    const { recordedSpans, begin, end } = setup();
    end(begin(), { ...bad, result: { ok: false, error: failure('auth', 'x'), partial: 1 } });
    expect(recordedSpans.spans[0]?.attributes['graphwarden.outcome']).toBe('partial');
  });
});

describe('the trace of a run of a probe', () => {
  const [probe] = probesSection.parse([{ name: 'ring', graph: 'fraud', installed_query: { query: 'ring_scan' } }]);
  const ring = probeCollector(probe ?? expect.fail());
  const target = { cluster: 'prod', collector: 'probe_ring', node: '' };
  const run = { duration: 250, phases: { response: 240 }, visibility: [], resultAge: undefined };
  const calls = { addExemplar: () => undefined };

  function traced(result: PollResult['result'], options: Pick<CycleTraceContext, 'spans' | 'probeSpans'>): void {
    const context = { board: new LatestResults(), clock: new FakeClock(), random: seededRandom(1), calls, ...options };
    const cycle = startCycleTrace({ target, collector: ring, timeout: 2000 }, { ...context, isLinked: () => false });
    cycle?.finish({ ...good, result }, undefined);
  }

  it('has the probe, its result and the durations of its phases', () => {
    const spans = new RecordedSpans();
    traced(ok({ ...run, failure: undefined }), { spans });
    expect(spans.roots('probe ring').map(({ attributes }) => attributes)).toEqual([
      {
        'graphwarden.cluster': 'prod',
        'graphwarden.collector': 'probe_ring',
        'graphwarden.node': 'm1',
        'graphwarden.outcome': 'good',
        'graphwarden.series': 0,
        'graphwarden.probe': 'ring',
        'graphwarden.probe.kind': 'installed_query',
        'graphwarden.probe.duration_seconds': 0.25,
        'graphwarden.probe.phase.response_seconds': 0.24,
        'db.namespace': 'fraud',
      },
    ]);
  });

  it.each(['count', 'unsupported'])('is kept with the reason %s if the run failed, and has no message', (reason) => {
    const spans = new RecordedSpans(() => false);
    traced(ok({ ...run, failure: { reason, message: 'canary' } }), { spans });
    const [root] = spans.roots('probe ring');
    expect(root?.error).toBe(reason);
    expect(root?.attributes).toMatchObject({ 'graphwarden.outcome': 'failed', 'error.type': reason });
    expect(JSON.stringify(spans.spans)).not.toContain('canary');
  });

  it('follows the sampling of probes, not that of poll cycles', () => {
    const [spans, probeSpans] = [new RecordedSpans(() => false), new RecordedSpans()];
    traced(ok({ ...run, failure: undefined }), { spans, probeSpans });
    expect(spans.spans).toEqual([]);
    expect(probeSpans.roots('probe ring')).toHaveLength(1);
  });
});
