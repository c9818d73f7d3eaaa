import { describe, expect, it } from 'vitest';
import type { QueryEnds } from '../../src/app/query-ages.ts';
import { delayedQueries } from '../../src/collect/delayed-queries.ts';
import { queries } from '../../src/collect/queries.ts';
import { failure } from '../../src/kernel/failure.ts';
import { err, ok } from '../../src/kernel/result.ts';
import { agesOf, clock, counts, feedOf, listOf, over, pace, readingOf, samplesOf, shown } from './listed-ages.ts';

describe('how long queries ran', () => {
  it('is counted when two lists are without them, by their age in the last one', () => {
    const ages = agesOf();
    ages.taken(feedOf(), listOf(['a', 5], ['b', 40]), pace);
    ages.taken(feedOf(), listOf(['a', 10], ['b', 45]), pace);
    ages.taken(feedOf(), listOf(['b', 50]), pace);
    expect(counts(ages).at(-1)).toEqual('m1 fraud ring_scan _count 0');
    over(ages);
    expect(shown(ages).filter((line) => line.includes('ring_scan'))).toEqual([
      'm1 fraud ring_scan _bucket[10] 1',
      'm1 fraud ring_scan _bucket[60] 2',
      'm1 fraud ring_scan _sum 60',
      'm1 fraud ring_scan _count 2',
    ]);
  });

  it('has a last bucket without bound', () => {
    const ages = agesOf();
    ages.taken(feedOf(), listOf(['a', 100_000]), pace);
    over(ages);
    expect(shown(ages).slice(0, 2)).toEqual(['m1 fraud ring_scan _bucket[10] 0', 'm1 fraud ring_scan _bucket[+Inf] 1']);
  });

  it('is not told by a list that failed, by a list of what waits, or of another node', () => {
    const ages = agesOf();
    ages.taken(feedOf(), listOf(['a', 15]), pace);
    for (let times = 0; times < 3; times += 1) {
      ages.taken(feedOf(), readingOf(err(failure('timeout', 'no'))), pace);
      ages.taken(feedOf('m1', delayedQueries), readingOf(ok({ graphs: [], queries: [] })), pace);
      ages.taken(feedOf('m2'), listOf(), pace);
    }
    expect(counts(ages)).toEqual(['m1 fraud ring_scan _count 0']);
  });

  it('begins with none of any outcome when a query is first listed, for an increase from nothing is none', () => {
    const ages = agesOf();
    ages.taken(feedOf(), listOf(['a', 15]), pace);
    const zeros = samplesOf(ages, ['m1']).filter(({ part }) => part === '_count');
    expect(zeros.map(({ labels, value }) => [labels.outcome, value])).toEqual([
      ['ended', 0],
      ['expired', 0],
      ['aborted', 0],
      ['lost', 0],
    ]);
    ages.taken(feedOf(), listOf(['a', 20], ['b', 11, 'social']), pace);
    expect(counts(ages)).toEqual(['m1 fraud ring_scan _count 0', 'm1 social ring_scan _count 0']);
  });

  it('is not known of what has no age', () => {
    const ages = agesOf();
    ages.taken(feedOf(), listOf(['a', undefined]), pace);
    over(ages);
    expect(shown(ages)).toEqual([]);
  });

  it('is told by outcome, and to whoever wants to know each query', () => {
    const heard: QueryEnds[] = [];
    const ages = agesOf({
      abortedBy: (cluster, node) => (id) => (cluster === 'prod' && node === 'm1' && id === 'a' ? 'runaway' : undefined),
      over: (ends) => heard.push(ends),
    });
    ages.taken(feedOf(), listOf(['a', 5], ['b', 6]), pace);
    over(ages);
    expect(heard.map(({ cluster, node, ended }) => [cluster, node, ended.map((one) => one.query.id)])).toEqual([
      ['prod', 'm1', ['a', 'b']],
    ]);
    expect(heard[0]?.ended.map(({ outcome, policy }) => [outcome, policy])).toEqual([
      ['aborted', 'runaway'],
      ['ended', undefined],
    ]);
    const counted = samplesOf(ages, ['m1']).filter(({ part, value }) => part === '_count' && value > 0);
    expect(counted.map(({ labels }) => labels.outcome)).toEqual(['ended', 'aborted']);
  });
});

it('is the same list for each node for as long as nothing ends there', () => {
  const ages = agesOf();
  const shownNow = () => new Map(ages.samples('prod', ['m1', 'm2'], clock.now()));
  for (const node of ['m1', 'm2']) ages.taken(feedOf(node), listOf([`a@${node}`, 15]), pace);
  const before = shownNow();
  ages.taken(feedOf(), listOf(['a@m1', 20]), pace);
  over(ages, 'm2');
  const after = shownNow();
  expect(after.get('m1')).toBe(before.get('m1'));
  expect(after.get('m2')).not.toBe(before.get('m2'));
});

describe('the exemplar of a query that is over', () => {
  it('leads to its span, where that is kept', () => {
    const span = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
    const ages = agesOf({ spanOf: (cluster, id) => (cluster === 'prod' && id === 'a' ? span : undefined) });
    const lastSeen = clock.now();
    ages.taken(feedOf(), listOf(['a', 40], ['b', 400]), pace);
    over(ages);
    const found = samplesOf(ages, ['m1']).flatMap(({ labels, exemplar }) => {
      return exemplar === undefined ? [] : [[labels.outcome, labels.le, exemplar]];
    });
    expect(found).toEqual([['ended', '60', { ...span, value: 40, at: lastSeen.wall }]]);
  });
});
/** One query on one node, and what is heard of its end. */
function listening() {
  const heard: string[] = [];
  const ages = agesOf({
    over: ({ node, ended }) => heard.push(...ended.map(({ query, outcome }) => `${node} ${query.id} ${outcome}`)),
  });
  ages.taken(feedOf(), listOf(['a', 15]), pace);
  return { ages, heard };
}

describe('a node that is watched no more', () => {
  it('loses its queries when its last list is believed no longer, once', async () => {
    const { ages, heard } = listening();
    samplesOf(ages, ['m2']);
    await clock.advance(pace.lifetime - 1);
    expect([samplesOf(ages, ['m2']), heard]).toEqual([[], []]);
    await clock.advance(1);
    samplesOf(ages, ['m2']);
    samplesOf(ages, ['m2']);
    expect(heard).toEqual(['m1 a lost']);
    expect(samplesOf(ages)).toEqual([]);
  });

  it('loses nothing where a name service left it out for a moment', async () => {
    const { ages, heard } = listening();
    for (const nodes of [['m2'], ['m1'], ['m2'], ['m1']]) {
      samplesOf(ages, nodes);
      await clock.advance(pace.lifetime - 1);
    }
    expect(heard).toEqual([]);
    ages.taken(feedOf(), listOf(['a', 75]), pace);
    over(ages);
    expect(heard).toEqual(['m1 a ended']);
    expect(counts(ages)).toEqual(['m1 fraud ring_scan _count 1']);
  });

  it('loses what another node lists by now to that one', async () => {
    const { ages, heard } = listening();
    ages.taken(feedOf('m2'), listOf(['a', 20]), pace);
    samplesOf(ages, ['m2']);
    await clock.advance(pace.lifetime);
    samplesOf(ages, ['m2']);
    over(ages, 'm2');
    expect(heard).toEqual(['m2 a ended']);
  });

  it('is forgotten with its cluster, which begins anew when it is watched again', () => {
    const { ages, heard } = listening();
    ages.taken(feedOf('m1', queries, 'test'), listOf(['a', 15]), pace);
    ages.forget('prod');
    ages.forget('prod');
    expect(heard).toEqual(['m1 a lost']);
    expect(counts(ages)).toEqual([]);
    expect(counts(ages, ['m1'], 'test')).toEqual(['m1 fraud ring_scan _count 0']);
  });
});

describe('a query that several nodes list, behind a proxy that shuffles them', () => {
  it('is over once, when no node lists it any more', () => {
    const heard: string[] = [];
    const ages = agesOf({ over: ({ node, ended }) => heard.push(...ended.map(({ query }) => `${node} ${query.id}`)) });
    const listed = (node: string, ...ids: readonly string[]): void => {
      ages.taken(feedOf(node), listOf(...ids.map((id) => [id, 30] as const)), pace);
    };
    listed('m1', 'a');
    listed('m2', 'a');
    over(ages, 'm1');
    expect(heard).toEqual([]);
    listed('m1', 'a');
    over(ages, 'm2');
    expect(heard).toEqual([]);
    over(ages, 'm1');
    listed('m2', 'a');
    over(ages, 'm2');
    expect(heard).toEqual(['m1 a']);
    const total = samplesOf(ages).filter(({ part }) => part === '_count');
    expect(total.reduce((sum, { value }) => sum + value, 0)).toBe(1);
  });

  it('is another one in another cluster', () => {
    const ages = agesOf();
    ages.taken(feedOf('m1', queries, 'test'), listOf(['a', 30]), pace);
    ages.taken(feedOf('m1'), listOf(['a', 30]), pace);
    over(ages);
    expect(counts(ages)).toEqual(['m1 fraud ring_scan _count 1']);
  });
});
