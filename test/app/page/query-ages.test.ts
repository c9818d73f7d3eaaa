import { describe, expect, it } from 'vitest';
import { delayedQueries } from '../../../src/collect/delayed-queries.ts';
import { queries } from '../../../src/collect/queries.ts';
import { failure } from '../../../src/kernel/failure.ts';
import { err, ok } from '../../../src/kernel/result.ts';
import type { QueryEnds } from '../../../src/trace/query-tracking.ts';
import {
  clock,
  counts,
  createQueryAges,
  endAllQueries,
  feedOf,
  listOf,
  pace,
  pollResultOf,
  samplesOf,
  shown,
} from './query-lists.ts';

describe('query age histogram', () => {
  it('counts a query when two lists are without it, by its age in the last list with it', () => {
    const ages = createQueryAges();
    ages.onPollResult(feedOf(), listOf(['a', 5], ['b', 40]), pace);
    ages.onPollResult(feedOf(), listOf(['a', 10], ['b', 45]), pace);
    ages.onPollResult(feedOf(), listOf(['b', 50]), pace);
    expect(counts(ages).at(-1)).toEqual('m1 fraud ring_scan _count 0');
    endAllQueries(ages);
    expect(shown(ages).filter((line) => line.includes('ring_scan'))).toEqual([
      'm1 fraud ring_scan _bucket[10] 1',
      'm1 fraud ring_scan _bucket[60] 2',
      'm1 fraud ring_scan _sum 60',
      'm1 fraud ring_scan _count 2',
    ]);
  });

  it('has a last bucket without bound', () => {
    const ages = createQueryAges();
    ages.onPollResult(feedOf(), listOf(['a', 100_000]), pace);
    endAllQueries(ages);
    expect(shown(ages).slice(0, 2)).toEqual(['m1 fraud ring_scan _bucket[10] 0', 'm1 fraud ring_scan _bucket[+Inf] 1']);
  });

  it('counts no end for a list that failed, a list of delayed queries or a list of another node', () => {
    const ages = createQueryAges();
    ages.onPollResult(feedOf(), listOf(['a', 15]), pace);
    for (let times = 0; times < 3; times += 1) {
      ages.onPollResult(feedOf(), pollResultOf(err(failure('timeout', 'no'))), pace);
      ages.onPollResult(feedOf('m1', delayedQueries), pollResultOf(ok({ graphs: [], queries: [] })), pace);
      ages.onPollResult(feedOf('m2'), listOf(), pace);
    }
    expect(counts(ages)).toEqual(['m1 fraud ring_scan _count 0']);
  });

  it('starts at 0 when a query is first listed, because increase() ignores the first value', () => {
    const ages = createQueryAges();
    ages.onPollResult(feedOf(), listOf(['a', 15]), pace);
    const zeros = samplesOf(ages, ['m1']).filter(({ part }) => part === '_count');
    expect(zeros.map(({ labels, value }) => [labels.outcome, value])).toEqual([['ended', 0]]);
    ages.onPollResult(feedOf(), listOf(['a', 20], ['b', 11, 'social']), pace);
    expect(counts(ages)).toEqual(['m1 fraud ring_scan _count 0', 'm1 social ring_scan _count 0']);
  });

  it('is absent without ages', () => {
    const ages = createQueryAges();
    ages.onPollResult(feedOf(), listOf(['a', undefined]), pace);
    endAllQueries(ages);
    expect(shown(ages)).toEqual([]);
  });

  it('counts ends by outcome, and passes each ended query to the listener', () => {
    const received: QueryEnds[] = [];
    const ages = createQueryAges({
      abortedBy: (cluster, node) => (id) => (cluster === 'prod' && node === 'm1' && id === 'a' ? 'runaway' : undefined),
      onQueriesEnded: (ends) => received.push(ends),
    });
    ages.onPollResult(feedOf(), listOf(['a', 5], ['b', 6]), pace);
    endAllQueries(ages);
    expect(received.map(({ cluster, node, ended }) => [cluster, node, ended.map((one) => one.query.id)])).toEqual([
      ['prod', 'm1', ['a', 'b']],
    ]);
    expect(received[0]?.ended.map(({ outcome, policy }) => [outcome, policy])).toEqual([
      ['aborted', 'runaway'],
      ['ended', undefined],
    ]);
    const counted = samplesOf(ages, ['m1']).filter(({ part }) => part === '_count');
    expect(counted.map(({ labels, value }) => [labels.outcome, value])).toEqual([
      ['ended', 1],
      ['aborted', 0],
    ]);
  });
});

it('query age samples of a node are the same list until a query of the node ends', () => {
  const ages = createQueryAges();
  const shownNow = () => new Map(ages.samples('prod', ['m1', 'm2'], clock.now()));
  for (const node of ['m1', 'm2']) ages.onPollResult(feedOf(node), listOf([`a@${node}`, 15]), pace);
  const before = shownNow();
  ages.onPollResult(feedOf(), listOf(['a@m1', 20]), pace);
  endAllQueries(ages, 'm2');
  const after = shownNow();
  expect(after.get('m1')).toBe(before.get('m1'));
  expect(after.get('m2')).not.toBe(before.get('m2'));
});

describe('the exemplar of a query that is over', () => {
  it('links to its span if the span is kept', () => {
    const span = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
    const ages = createQueryAges({
      spanReference: (cluster, id) => (cluster === 'prod' && id === 'a' ? span : undefined),
    });
    const lastSeen = clock.now();
    ages.onPollResult(feedOf(), listOf(['a', 40], ['b', 400]), pace);
    endAllQueries(ages);
    const found = samplesOf(ages, ['m1']).flatMap(({ labels, exemplar }) => {
      return exemplar === undefined ? [] : [[labels.outcome, labels.le, exemplar]];
    });
    expect(found).toEqual([['ended', '60', { ...span, value: 40, at: lastSeen.wall }]]);
  });
});
/** One query on one node, and the reports of its end. */
function listening() {
  const received: string[] = [];
  const ages = createQueryAges({
    onQueriesEnded: ({ node, ended }) =>
      received.push(...ended.map(({ query, outcome }) => `${node} ${query.id} ${outcome}`)),
  });
  ages.onPollResult(feedOf(), listOf(['a', 15]), pace);
  return { ages, received };
}

describe('a query that is missing after a long gap between lists', () => {
  it.each([
    ['lost if the next list was due after 5 s', 5000, 'lost'],
    ['ended if the next list was due after 30 s', 30_000, 'ended'],
  ])('is %s', async (_, interval, outcome) => {
    const { ages, received } = listening();
    const feed = { ...feedOf(), interval: 5000 };
    ages.onPollResult(feed, listOf(['a', 15]), { ...pace, interval });
    await clock.advance(32_000);
    for (let list = 0; list < 2; list += 1) ages.onPollResult(feed, listOf(), pace);
    expect(received).toEqual([`m1 a ${outcome}`]);
  });
});

describe('a node that is no longer monitored', () => {
  it('loses its queries once, at the end of the lifetime of its last list', async () => {
    const { ages, received } = listening();
    samplesOf(ages, ['m2']);
    await clock.advance(pace.lifetime - 1);
    expect([samplesOf(ages, ['m2']), received]).toEqual([[], []]);
    await clock.advance(1);
    samplesOf(ages, ['m2']);
    samplesOf(ages, ['m2']);
    expect(received).toEqual(['m1 a lost']);
    expect(samplesOf(ages)).toEqual([]);
  });

  it('keeps its queries if discovery omits it for a moment', async () => {
    const { ages, received } = listening();
    for (const nodes of [['m2'], ['m1'], ['m2'], ['m1']]) {
      samplesOf(ages, nodes);
      await clock.advance(pace.lifetime - 1);
    }
    expect(received).toEqual([]);
    ages.onPollResult(feedOf(), listOf(['a', 75]), pace);
    endAllQueries(ages);
    expect(received).toEqual(['m1 a ended']);
    expect(counts(ages)).toEqual(['m1 fraud ring_scan _count 1']);
  });

  it('loses queries that another node lists', async () => {
    const { ages, received } = listening();
    ages.onPollResult(feedOf('m2'), listOf(['a', 20]), pace);
    samplesOf(ages, ['m2']);
    await clock.advance(pace.lifetime);
    samplesOf(ages, ['m2']);
    endAllQueries(ages, 'm2');
    expect(received).toEqual(['m2 a ended']);
  });

  it('is forgotten with its cluster, which starts with no state when it is added again', () => {
    const { ages, received } = listening();
    ages.onPollResult(feedOf('m1', queries, 'test'), listOf(['a', 15]), pace);
    ages.forget('prod');
    ages.forget('prod');
    expect(received).toEqual(['m1 a lost']);
    expect(counts(ages)).toEqual([]);
    expect(counts(ages, ['m1'], 'test')).toEqual(['m1 fraud ring_scan _count 0']);
  });
});

describe('a query that several nodes list, behind a proxy that distributes requests', () => {
  it('ends once, when no node lists it any more', () => {
    const received: string[] = [];
    const ages = createQueryAges({
      onQueriesEnded: ({ node, ended }) => received.push(...ended.map(({ query }) => `${node} ${query.id}`)),
    });
    const listed = (node: string, ...ids: readonly string[]): void => {
      ages.onPollResult(feedOf(node), listOf(...ids.map((id) => [id, 30] as const)), pace);
    };
    listed('m1', 'a');
    listed('m2', 'a');
    endAllQueries(ages, 'm1');
    expect(received).toEqual([]);
    listed('m1', 'a');
    endAllQueries(ages, 'm2');
    expect(received).toEqual([]);
    endAllQueries(ages, 'm1');
    listed('m2', 'a');
    endAllQueries(ages, 'm2');
    expect(received).toEqual(['m1 a']);
    const total = samplesOf(ages).filter(({ part }) => part === '_count');
    expect(total.reduce((sum, { value }) => sum + value, 0)).toBe(1);
  });

  it('is counted separately in another cluster', () => {
    const ages = createQueryAges();
    ages.onPollResult(feedOf('m1', queries, 'test'), listOf(['a', 30]), pace);
    ages.onPollResult(feedOf('m1'), listOf(['a', 30]), pace);
    endAllQueries(ages);
    expect(counts(ages)).toEqual(['m1 fraud ring_scan _count 1']);
  });
});
