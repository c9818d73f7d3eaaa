import { describe, expect, it } from 'vitest';
import { CallDurations, callMetrics } from '../../../src/app/poll/call-metrics.ts';
import { calls as table } from '../../../src/graphdb/calls.ts';
import type { CompletedCall } from '../../../src/graphdb/completed-call.ts';
import type { Sample } from '../../../src/metric/metric.ts';
import { completedCall } from '../../support/completed-call.ts';

const place = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };

/** The samples of the cluster `prod` by node. */
function shownOf(durations: CallDurations, nodes = ['m1', 'm2']): ReadonlyMap<string, readonly Sample[]> {
  return new Map(durations.samples('prod', nodes));
}

/** The outcome that a call is counted under. */
function outcomeOf(more: Partial<CompletedCall>): string | undefined {
  const durations = new CallDurations();
  durations.record('prod', { ...completedCall, ...more });
  const counts = shownOf(durations)
    .get('m1')
    ?.filter(({ part }) => part === '_count');
  return counts?.find(({ value }) => value === 1)?.labels.outcome;
}

describe('call durations', () => {
  it('are a histogram by node, call and outcome', () => {
    const durations = new CallDurations();
    durations.record('prod', completedCall);
    durations.record('prod', { ...completedCall, ended: { wall: 0, mono: 10_010 } });
    durations.record('elsewhere', completedCall);
    const both = shownOf(durations).get('m1') ?? [];
    const samples = both.filter(({ labels: { outcome } }) => outcome === 'good');
    expect(samples.map(({ part, labels: { le }, value }) => `${part} ${le} ${value}`)).toEqual([
      '_bucket 0.01 0',
      '_bucket 0.05 0',
      '_bucket 0.25 1',
      '_bucket 1 1',
      '_bucket 5 1',
      '_bucket 30 2',
      '_bucket +Inf 2',
      '_sum undefined 10.12',
      '_count undefined 2',
    ]);
    expect(samples.at(-1)?.labels).toEqual({ node: 'm1', call: 'GET /restpp/echo', outcome: 'good' });
    expect(callMetrics).toContain(samples[0]?.metric);
  });

  it('begin with none of either outcome, so that the first failure is an increase', () => {
    const durations = new CallDurations();
    durations.record('prod', completedCall);
    const counts = (shownOf(durations).get('m1') ?? []).filter(({ part }) => part === '_count');
    expect(counts.map(({ labels, value }) => [labels.outcome, value])).toEqual([
      ['good', 1],
      ['failed', 0],
    ]);
  });

  it.each<readonly [string, Partial<CompletedCall>, string | undefined]>([
    ['good', {}, 'good'],
    ['a bad status', { status: 503, failure: 'status' }, 'failed'],
    ['an abort that was refused', { name: 'abort', status: 403 }, 'failed'],
    ['a bad body', { failure: 'body' }, 'failed'],
    ['no answer', { failure: 'timeout' }, 'failed'],
    ['given up by ourselves', { failure: 'timeout', isCancelled: true }, undefined],
  ])('are counted by what came of the call: %s', (_, more, outcome) => {
    expect(outcomeOf(more)).toBe(outcome);
  });

  it('name a call alike in both path forms, and an abort too', () => {
    const durations = new CallDurations();
    durations.record('prod', { ...completedCall, template: '/echo' });
    durations.record('prod', completedCall);
    for (const template of ['/abortquery/{graph}', '/restpp/abortquery/{graph}']) {
      durations.record('prod', { ...completedCall, name: 'abort', template });
    }
    const good = (shownOf(durations).get('m1') ?? []).filter(({ labels: { outcome } }) => outcome === 'good');
    expect(good.filter(({ part }) => part === '_count').map(({ labels, value }) => [labels.call, value])).toEqual([
      ['GET /restpp/echo', 2],
      ['GET /restpp/abortquery/{graph}', 2],
    ]);
  });

  it('are bounded: however many calls there are, so many series', () => {
    const durations = new CallDurations();
    for (const name of Object.keys(table).filter((one): one is keyof typeof table => one in table)) {
      for (let times = 0; times < 5; times += 1) {
        durations.record('prod', { ...completedCall, name });
        durations.record('prod', { ...completedCall, name, failure: times % 2 === 0 ? 'timeout' : 'body' });
      }
    }
    expect(shownOf(durations).get('m1')).toHaveLength(Object.keys(table).length * 2 * 9 + 5);
  });

  it.each<readonly [string, Partial<CompletedCall>, string | undefined]>([
    ['429', { status: 429, failure: 'status' }, 'too_many_requests'],
    ['503', { status: 503, failure: 'status' }, 'unavailable'],
    ['504', { status: 504, failure: 'status' }, 'timeout'],
    ['no answer in time', { failure: 'timeout' }, 'timeout'],
    ['a full queue', { status: 422, failure: 'status', code: 'REST-14000' }, 'queue_full'],
    ['an engine without answer', { status: 503, failure: 'status', code: 'REST-12000' }, 'no_engine'],
    ['a timeout of the server with status 200', { status: 200, failure: 'body', code: 'REST-3002' }, 'timeout'],
    ['another error', { status: 500, failure: 'status', code: 'REST-1000' }, undefined],
    ['a refused connection', { failure: 'unreachable' }, undefined],
    ['a cancelled request', { failure: 'timeout', isCancelled: true }, undefined],
    ['success', {}, undefined],
  ])('count rejections by status and code: %s', (_, more, reason) => {
    const durations = new CallDurations();
    durations.record('prod', completedCall);
    durations.record('prod', { ...completedCall, ...more });
    const counts = (shownOf(durations).get('m1') ?? []).filter(({ metric }) => metric.name.includes('rejected'));
    expect(counts).toHaveLength(5);
    expect(counts.filter(({ value }) => value > 0).map(({ labels }) => labels.reason)).toEqual(reason ? [reason] : []);
  });

  it('have exemplars of calls whose spans are kept', () => {
    const durations = new CallDurations();
    durations.record('prod', completedCall);
    const before = shownOf(durations).get('m1');
    durations.addExemplar('prod', completedCall, place);
    const after = shownOf(durations).get('m1');
    expect(after?.map(({ value }) => value)).toEqual(before?.map(({ value }) => value));
    expect(before?.filter(({ exemplar }) => exemplar !== undefined)).toEqual([]);
    const exemplars = after?.flatMap(({ labels: { le }, exemplar }) =>
      exemplar === undefined ? [] : [[le, exemplar]],
    );
    expect(exemplars).toEqual([['0.25', { ...place, value: 0.12, at: completedCall.ended.wall }]]);
  });

  it('are the same list while nothing changes, and forget nodes that are gone', () => {
    const durations = new CallDurations();
    durations.record('prod', completedCall);
    durations.record('prod', { ...completedCall, node: 'm2' });
    const first = shownOf(durations);
    durations.record('prod', completedCall);
    const second = shownOf(durations);
    expect(second.get('m2')).toBe(first.get('m2'));
    expect(second.get('m1')).not.toBe(first.get('m1'));
    expect([...shownOf(durations, ['m2']).keys()]).toEqual(['m2']);
    expect([...shownOf(durations).keys()]).toEqual(['m2']);
    expect([...durations.samples('nowhere', ['m1'])]).toEqual([]);
  });

  it('are forgotten with their cluster', () => {
    const durations = new CallDurations();
    for (const cluster of ['prod', 'test']) durations.record(cluster, completedCall);
    durations.forget('prod');
    expect([...shownOf(durations).keys()]).toEqual([]);
    expect([...durations.samples('test', ['m1'])]).toHaveLength(1);
  });
});
