import { describe, expect, it } from 'vitest';
import type { Feed } from '../../src/app/content.ts';
import { QueryAges, type QueryEnds, type QueryListeners } from '../../src/app/query-ages.ts';
import { delayedQueries } from '../../src/collect/delayed-queries.ts';
import { queries } from '../../src/collect/queries.ts';
import type { Failure } from '../../src/kernel/failure.ts';
import { failure } from '../../src/kernel/failure.ts';
import { err, ok, type Result } from '../../src/kernel/result.ts';
import { FakeClock } from '../support/clock.ts';

const clock = new FakeClock();
const pace = { lifetime: 15_000 };

function feedOf(node = 'm1', of = queries, cluster = 'prod'): Feed {
  return { cluster, collector: of.name, node, of, labels: {}, passthrough: false };
}

function readingOf(result: Result<unknown, Failure>) {
  const now = clock.now();
  return { result, source: 'm1', started: now, ended: now };
}

/** A good list of queries: id, seconds, graph. */
function listOf(...listed: readonly (readonly [id: string, age: number | undefined, graph?: string])[]) {
  const rows = listed.map(([requestId, age, graph = 'fraud']) => ({
    requestId,
    graph,
    query: 'ring_scan',
    kind: 'installed',
    ...(age === undefined ? {} : { elapsed: age * 1000 }),
  }));
  return readingOf(ok({ graphs: [], queries: rows }));
}

/** Ages that nobody listens to, unless a test does. */
function agesOf(listeners: Partial<QueryListeners> = {}): QueryAges {
  return new QueryAges({
    abortedBy: () => () => undefined,
    over: () => undefined,
    spanOf: () => undefined,
    ...listeners,
  });
}

/** `node graph query outcome part[le] value` of what ended by itself, without the buckets that are as full as the one before. */
function shown(ages: QueryAges, nodes: readonly string[] = ['m1', 'm2'], cluster = 'prod'): readonly string[] {
  const lines = ages
    .samples(cluster, nodes)
    .filter(({ labels }) => labels.outcome === 'ended')
    .map(({ labels: { node, graph, query, le }, value, part }) => {
      return [`${node} ${graph} ${query} ${part}`, le, value] as const;
    });
  const steps = lines.filter(([name, , value], at) => {
    const [before, , earlier] = lines[at - 1] ?? [];
    return before !== name || earlier !== value;
  });
  return steps.map(([name, le, value]) => `${name}${le === undefined ? '' : `[${le}]`} ${value}`);
}

function counts(ages: QueryAges, nodes?: readonly string[], cluster?: string): readonly string[] {
  return shown(ages, nodes, cluster).filter((line) => line.includes('_count'));
}

/** Two lists without any query. */
function over(ages: QueryAges, node = 'm1'): void {
  ages.taken(feedOf(node), listOf(), pace);
  ages.taken(feedOf(node), listOf(), pace);
}

describe('how long queries ran', () => {
  it('is counted when two lists are without them, by their age in the last one', () => {
    const ages = agesOf();
    ages.taken(feedOf(), listOf(['a', 5], ['b', 40]), pace);
    ages.taken(feedOf(), listOf(['a', 10], ['b', 45]), pace);
    ages.taken(feedOf(), listOf(['b', 50]), pace);
    expect(counts(ages)).toEqual(['m1 fraud ring_scan _count 0']);
    over(ages);
    expect(shown(ages)).toEqual([
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
    ages.taken(feedOf(), listOf(['a', 5]), pace);
    for (let times = 0; times < 3; times += 1) {
      ages.taken(feedOf(), readingOf(err(failure('timeout', 'no'))), pace);
      ages.taken(feedOf('m1', delayedQueries), readingOf(ok({ graphs: [], queries: [] })), pace);
      ages.taken(feedOf('m2'), listOf(), pace);
    }
    expect(counts(ages)).toEqual(['m1 fraud ring_scan _count 0']);
  });

  it('begins with none of any outcome when a query is first listed, for an increase from nothing is none', () => {
    const ages = agesOf();
    ages.taken(feedOf(), listOf(['a', 5]), pace);
    const zeros = ages.samples('prod', ['m1']).filter(({ part }) => part === '_count');
    expect(zeros.map(({ labels, value }) => [labels.outcome, value])).toEqual([
      ['ended', 0],
      ['expired', 0],
      ['aborted', 0],
      ['lost', 0],
    ]);
    ages.taken(feedOf(), listOf(['a', 10], ['b', 1, 'social']), pace);
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
    const counted = ages.samples('prod', ['m1']).filter(({ part, value }) => part === '_count' && value > 0);
    expect(counted.map(({ labels }) => labels.outcome)).toEqual(['ended', 'aborted']);
  });

  it('is lost with the node that is not watched any more', () => {
    const heard: QueryEnds[] = [];
    const ages = agesOf({ over: (ends) => heard.push(ends) });
    ages.taken(feedOf(), listOf(['a', 5]), pace);
    ages.samples('prod', ['m2']);
    ages.samples('prod', ['m2']);
    expect(heard.flatMap(({ node, ended }) => ended.map((one) => [node, one.outcome]))).toEqual([['m1', 'lost']]);
  });

  it('is the same object for as long as nothing ends', () => {
    const ages = agesOf();
    ages.taken(feedOf(), listOf(['a', 5]), pace);
    over(ages);
    const [before] = ages.samples('prod', ['m1']);
    ages.taken(feedOf(), listOf(['b', 5]), pace);
    expect(ages.samples('prod', ['m1'])[0]).toBe(before);
  });

  it('is kept for a hundred queries of a node, and for the rest together', () => {
    const ages = agesOf();
    const many = Array.from({ length: 150 }, (_, at) => [`id${at}`, 20, `g${at}`] as const);
    ages.taken(feedOf(), listOf(...many), pace);
    over(ages);
    expect(counts(ages)).toHaveLength(101);
    expect(counts(ages).at(-1)).toBe('m1   _count 50');
  });

  it('is of one cluster, and forgotten with its node', () => {
    const ages = agesOf();
    for (const node of ['m1', 'm2']) {
      ages.taken(feedOf(node), listOf(['a', 5]), pace);
      over(ages, node);
    }
    const both = ['m1 fraud ring_scan _count 1', 'm2 fraud ring_scan _count 1'];
    expect(counts(ages, ['m1', 'm2'], 'test')).toEqual([]);
    expect(counts(ages, ['m1', 'm2'])).toEqual(both);
    expect(counts(ages, ['m2'])).toEqual(both.slice(1));
    expect(counts(ages, ['m1', 'm2'])).toEqual(both.slice(1));
  });
});

describe('the exemplar of a query that is over', () => {
  it('leads to its span, where that is kept', () => {
    const span = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
    const ages = agesOf({ spanOf: (cluster, id) => (cluster === 'prod' && id === 'a' ? span : undefined) });
    const lastSeen = clock.now();
    ages.taken(feedOf(), listOf(['a', 40], ['b', 400]), pace);
    over(ages);
    const found = ages.samples('prod', ['m1']).flatMap(({ labels, exemplar }) => {
      return exemplar === undefined ? [] : [[labels.outcome, labels.le, exemplar]];
    });
    expect(found).toEqual([['ended', '60', { ...span, value: 40, at: lastSeen.wall }]]);
  });
});
