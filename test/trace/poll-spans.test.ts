import { describe, expect, it } from 'vitest';
import { isAlwaysSampled, type PollCycle, pollSpans } from '../../src/trace/poll-spans.ts';
import { completedCall } from '../support/completed-call.ts';

const context = { traceId: 'a'.repeat(32), spanId: '1'.repeat(16) };
const at = (mono: number) => ({ wall: 1_790_000_000_000 + mono, mono });
const cycle: PollCycle = {
  context,
  cluster: 'prod',
  collector: 'queries',
  node: 'm1',
  started: at(0),
  ended: at(100),
  isPartial: false,
  series: 7,
  links: [],
  attempts: [],
  calls: [],
};

describe('the trace of a cycle', () => {
  it('has a root span with the polled collector and the outcome', () => {
    expect(pollSpans(cycle)).toEqual([
      {
        ...context,
        name: 'collect queries',
        kind: 'internal',
        start: 1_790_000_000_000,
        end: 1_790_000_000_100,
        attributes: {
          'graphwarden.cluster': 'prod',
          'graphwarden.collector': 'queries',
          'graphwarden.node': 'm1',
          'graphwarden.outcome': 'good',
          'graphwarden.series': 7,
        },
        events: [],
        links: [],
      },
    ]);
  });

  it.each([
    ['failed', false],
    ['partial', true],
  ])('has a root span with an error if the poll result is %s', (outcome, isPartial) => {
    const links = [{ traceId: 'f'.repeat(32), spanId: 'e'.repeat(16) }];
    const [root] = pollSpans({ ...cycle, failure: 'auth', isPartial, links });
    expect(root).toMatchObject({ error: 'auth', links });
    expect(root?.attributes).toMatchObject({ 'graphwarden.outcome': outcome, 'error.type': 'auth' });
  });

  it('has the nodes that were polled for cluster-scoped facts, with the calls below them', () => {
    const [first, second] = ['2', '3'].map((digit) => ({ ...context, spanId: digit.repeat(16) }));
    const spans = pollSpans({
      ...cycle,
      node: '',
      attempts: [
        { context: first ?? context, node: 'm1', started: at(1), ended: at(30), failure: 'timeout' },
        { context: second ?? context, node: 'm2', started: at(31), ended: at(40) },
      ],
      calls: [{ context: { ...context, spanId: '4'.repeat(16) }, parentId: '3'.repeat(16), call: completedCall }],
    });
    expect(spans.map(({ name, parentId, error }) => [name, parentId?.[0], error])).toEqual([
      ['collect queries', undefined, undefined],
      ['collect queries from node', '1', 'timeout'],
      ['collect queries from node', '1', undefined],
      ['GET /restpp/echo', '3', undefined],
    ]);
    expect(spans.map(({ attributes }) => attributes['graphwarden.node'])).toEqual([undefined, 'm1', 'm2', 'm1']);
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([context.traceId]));
    expect(spans[1]).toMatchObject({ start: 1_790_000_000_001, end: 1_790_000_000_030 });
  });
});

it.each([
  ['quick and good', {}, false],
  ['as slow as half of its time', { ended: at(1000) }, true],
  ['just quicker', { ended: at(999) }, false],
  ['failed', { failure: 'status' as const }, true],
])('a cycle that is %s', (_, more, reporting) => {
  expect(isAlwaysSampled({ ...cycle, ...more }, 2000)).toBe(reporting);
});
