import { describe, expect, it } from 'vitest';
import { CallDurations, callMetrics } from '../../../src/app/poll/call-metrics.ts';
import { calls as table } from '../../../src/graphdb/calls.ts';
import type { CompletedCall } from '../../../src/graphdb/completed-call.ts';
import type { Sample } from '../../../src/metric/metric.ts';
import { completedCall } from '../../support/completed-call.ts';

const span = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };

const nodes = ['m1', 'm2'];

/** The samples of the cluster `prod`, a minute after its new series appeared. */
function shownOf(durations: CallDurations): readonly Sample[] {
  durations.samples('prod', nodes, { wall: 0, mono: 0 });
  return durations.samples('prod', nodes, { wall: 0, mono: 60_000 });
}

/** The outcome that a call is counted under. */
function outcomeOf(more: Partial<CompletedCall>): string | undefined {
  const durations = new CallDurations();
  durations.record('prod', { ...completedCall, ...more });
  const counts = shownOf(durations).filter(({ part }) => part === '_count');
  return counts.find(({ value }) => value === 1)?.labels.outcome;
}

function rejections(samples: readonly Sample[]): readonly Sample[] {
  return samples.filter(({ labels: { reason } }) => reason !== undefined);
}

describe('call durations', () => {
  it('are a histogram by outcome', () => {
    const durations = new CallDurations();
    durations.record('prod', completedCall);
    durations.record('prod', { ...completedCall, ended: { wall: 0, mono: 10_010 } });
    durations.record('elsewhere', completedCall);
    const both = shownOf(durations);
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
    expect(samples.at(-1)?.labels).toEqual({ outcome: 'good' });
    expect(callMetrics).toContain(samples[0]?.metric);
  });

  it('have the series of failures from the first failure on: 0 for a minute, so that increase() includes it', () => {
    const durations = new CallDurations();
    const countsAt = (mono: number): readonly (readonly [string | undefined, number])[] =>
      durations
        .samples('prod', nodes, { wall: 0, mono })
        .filter(({ part }) => part === '_count')
        .map(({ labels, value }) => [labels.outcome, value]);
    durations.record('prod', completedCall);
    expect(countsAt(0)).toEqual([['good', 1]]);
    durations.record('prod', { ...completedCall, failure: 'body' });
    expect([countsAt(1000), countsAt(60_999)].map((counts) => counts.at(-1))).toEqual([
      ['failed', 0],
      ['failed', 0],
    ]);
    expect(countsAt(61_000).at(-1)).toEqual(['failed', 1]);
  });

  it.each<readonly [string, Partial<CompletedCall>, string | undefined]>([
    ['good', {}, 'good'],
    ['a bad status', { status: 503, failure: 'status' }, 'failed'],
    ['an abort that was refused', { name: 'abort', status: 403 }, 'failed'],
    ['a bad body', { failure: 'body' }, 'failed'],
    ['no answer', { failure: 'timeout' }, 'failed'],
    ['given up by ourselves', { failure: 'timeout', isCancelled: true }, undefined],
  ])('are counted by outcome: %s', (_, more, outcome) => {
    expect(outcomeOf(more)).toBe(outcome);
  });

  it('have a bounded number of series, for any number of calls', () => {
    const durations = new CallDurations();
    for (const name of Object.keys(table).filter((one): one is keyof typeof table => one in table)) {
      for (let times = 0; times < 5; times += 1) {
        durations.record('prod', { ...completedCall, name });
        durations.record('prod', { ...completedCall, name, failure: times % 2 === 0 ? 'timeout' : 'body' });
      }
    }
    expect(shownOf(durations)).toHaveLength(2 * 9 + 1);
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
    const counts = shownOf(durations).filter(({ metric }) => metric.name.includes('rejected'));
    expect(counts).toHaveLength(reason === undefined ? 0 : 1);
    expect(counts.filter(({ value }) => value > 0).map(({ labels }) => labels.reason)).toEqual(reason ? [reason] : []);
  });

  it('have exemplars of calls whose spans are kept', () => {
    const durations = new CallDurations();
    durations.record('prod', completedCall);
    const before = shownOf(durations);
    durations.addExemplar('prod', completedCall, span);
    const after = shownOf(durations);
    expect(after?.map(({ value }) => value)).toEqual(before?.map(({ value }) => value));
    expect(before?.filter(({ exemplar }) => exemplar !== undefined)).toEqual([]);
    const exemplars = after?.flatMap(({ labels: { le }, exemplar }) =>
      exemplar === undefined ? [] : [[le, exemplar]],
    );
    expect(exemplars).toEqual([['0.25', { ...span, value: 0.12, at: completedCall.ended.wall }]]);
  });

  it('are the same list without a change', () => {
    const durations = new CallDurations();
    durations.record('prod', completedCall);
    const first = shownOf(durations);
    expect(shownOf(durations)).toBe(first);
    durations.record('prod', { ...completedCall, node: 'm2' });
    expect(shownOf(durations)).not.toBe(first);
    expect(durations.samples('nowhere', ['m1'], { wall: 0, mono: 0 })).toEqual([]);
  });

  it('drop the rejections of removed nodes', () => {
    const durations = new CallDurations();
    durations.record('prod', { ...completedCall, status: 503, failure: 'status' });
    expect(rejections(shownOf(durations))).toHaveLength(1);
    expect(rejections(durations.samples('prod', ['m2'], { wall: 0, mono: 60_000 }))).toEqual([]);
    expect(rejections(shownOf(durations))).toEqual([]);
  });

  it('are dropped with their cluster', () => {
    const durations = new CallDurations();
    for (const cluster of ['prod', 'test']) durations.record(cluster, completedCall);
    durations.forget('prod');
    expect(shownOf(durations)).toEqual([]);
    expect(durations.samples('test', ['m1'], { wall: 0, mono: 0 })).toHaveLength(9);
  });
});
