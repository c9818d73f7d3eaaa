import { describe, expect, it } from 'vitest';
import type { Feed } from '../../src/app/content.ts';
import { QueryAges } from '../../src/app/query-ages.ts';
import { delayedQueries } from '../../src/collect/delayed-queries.ts';
import { queries } from '../../src/collect/queries.ts';
import type { Failure } from '../../src/kernel/failure.ts';
import { failure } from '../../src/kernel/failure.ts';
import { err, ok, type Result } from '../../src/kernel/result.ts';
import { FakeClock } from '../support/clock.ts';

const clock = new FakeClock();

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

/** `node graph part[le] value`, without the buckets that are as full as the one before. */
function shown(ages: QueryAges, nodes: readonly string[] = ['m1', 'm2'], cluster = 'prod'): readonly string[] {
  const lines = ages.samples(cluster, nodes).map(({ labels: { node, graph, le }, value, part }) => {
    return [`${node} ${graph} ${part}`, le, value] as const;
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

describe('how long queries ran', () => {
  it('is counted when a list is without them, by their age in the last one', () => {
    const ages = new QueryAges();
    ages.taken(feedOf(), listOf(['a', 5], ['b', 40]));
    ages.taken(feedOf(), listOf(['a', 10], ['b', 45]));
    expect(counts(ages)).toEqual(['m1 fraud _count 0']);
    ages.taken(feedOf(), listOf(['b', 50]));
    ages.taken(feedOf(), listOf());
    expect(shown(ages)).toEqual([
      'm1 fraud _bucket[10] 1',
      'm1 fraud _bucket[60] 2',
      'm1 fraud _sum 60',
      'm1 fraud _count 2',
    ]);
  });

  it('has a last bucket without bound', () => {
    const ages = new QueryAges();
    ages.taken(feedOf(), listOf(['a', 100_000]));
    ages.taken(feedOf(), listOf());
    expect(shown(ages)).toEqual([
      'm1 fraud _bucket[10] 0',
      'm1 fraud _bucket[+Inf] 1',
      'm1 fraud _sum 100000',
      'm1 fraud _count 1',
    ]);
  });

  it('is not told by a list that failed, by a list of what waits, or of another node', () => {
    const ages = new QueryAges();
    ages.taken(feedOf(), listOf(['a', 5]));
    ages.taken(feedOf(), readingOf(err(failure('timeout', 'no'))));
    ages.taken(feedOf('m1', delayedQueries), readingOf(ok({ graphs: [], queries: [] })));
    ages.taken(feedOf('m2'), listOf());
    expect(counts(ages)).toEqual(['m1 fraud _count 0']);
  });

  it('begins with none when a graph is first listed, for an increase from nothing is none', () => {
    const ages = new QueryAges();
    ages.taken(feedOf(), listOf(['a', 5]));
    ages.taken(feedOf(), listOf(['a', 10], ['b', 1, 'social']));
    expect(shown(ages)).toEqual([
      'm1 fraud _bucket[10] 0',
      'm1 fraud _sum 0',
      'm1 fraud _count 0',
      'm1 social _bucket[10] 0',
      'm1 social _sum 0',
      'm1 social _count 0',
    ]);
  });

  it('is not known of what has no age', () => {
    const ages = new QueryAges();
    ages.taken(feedOf(), listOf(['a', undefined]));
    ages.taken(feedOf(), listOf());
    expect(shown(ages)).toEqual([]);
  });

  it('is the same object for as long as nothing ends', () => {
    const ages = new QueryAges();
    ages.taken(feedOf(), listOf(['a', 5]));
    ages.taken(feedOf(), listOf());
    const [before] = ages.samples('prod', ['m1']);
    ages.taken(feedOf(), listOf(['b', 5]));
    expect(ages.samples('prod', ['m1'])[0]).toBe(before);
  });

  it('is kept for a hundred graphs of a node, and for the rest together', () => {
    const ages = new QueryAges();
    const many = Array.from({ length: 150 }, (_, at) => [`id${at}`, 20, `g${at}`] as const);
    ages.taken(feedOf(), listOf(...many));
    ages.taken(feedOf(), listOf());
    expect(counts(ages)).toHaveLength(101);
    expect(counts(ages).at(-1)).toBe('m1  _count 50');
  });

  it('is of one cluster, and forgotten with its node', () => {
    const ages = new QueryAges();
    for (const node of ['m1', 'm2']) {
      ages.taken(feedOf(node), listOf(['a', 5]));
      ages.taken(feedOf(node), listOf());
    }
    expect(counts(ages, ['m1', 'm2'], 'test')).toEqual([]);
    expect(counts(ages, ['m1', 'm2'])).toEqual(['m1 fraud _count 1', 'm2 fraud _count 1']);
    expect(counts(ages, ['m2'])).toEqual(['m2 fraud _count 1']);
    expect(counts(ages, ['m1', 'm2'])).toEqual(['m2 fraud _count 1']);
  });
});
