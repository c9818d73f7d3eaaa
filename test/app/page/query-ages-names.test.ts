import { describe, expect, it } from 'vitest';
import type { QueryAges } from '../../../src/app/page/query-ages.ts';
import { queryOutcomes } from '../../../src/trace/query-tracking.ts';
import { counts, createQueryAges, endAllQueries, feedOf, listOf, pace, samplesOf } from './query-lists.ts';

/** So many queries of different names. */
function many(count: number, age = 20) {
  return Array.from({ length: count }, (_, at) => [`id${at}`, age, `g${at}`] as const);
}

function total(ages: QueryAges): number {
  return samplesOf(ages, ['m1', 'm2', 'm3', 'm4']).length;
}

describe('names in the histogram', () => {
  it('are limited to a hundred queries of a node, and the rest share one name', () => {
    const ages = createQueryAges();
    ages.onPollResult(feedOf(), listOf(...many(150)), pace);
    endAllQueries(ages);
    expect(counts(ages)).toHaveLength(101);
    expect(counts(ages).at(-1)).toBe('m1  other _count 50');
  });

  it('are limited to queries of ten seconds or more, so that short queries do not use up the names', () => {
    const ages = createQueryAges();
    ages.onPollResult(feedOf(), listOf(...many(150, 9)), pace);
    endAllQueries(ages);
    ages.onPollResult(feedOf(), listOf(['slow', 10]), pace);
    endAllQueries(ages);
    ages.onPollResult(feedOf(), listOf(['quick', 1]), pace);
    endAllQueries(ages);
    expect(counts(ages)).toEqual(['m1  other _count 150', 'm1 fraud ring_scan _count 2']);
  });

  it.each([20_000, 5000, 1000])(
    'fit the series limit of the page for all nodes: a family of %i series',
    (seriesPerFamily) => {
      const ages = createQueryAges({}, { seriesPerFamily });
      for (const node of ['m1', 'm2', 'm3', 'm4']) {
        ages.onPollResult(
          feedOf(node),
          listOf(...many(150).map(([id, ...more]) => [`${id}@${node}`, ...more] as const)),
          pace,
        );
        endAllQueries(ages, node);
      }
      const withAllOutcomes = total(ages) * queryOutcomes.length;
      expect(withAllOutcomes).toBeLessThanOrEqual(seriesPerFamily);
      expect(withAllOutcomes).toBeGreaterThan(seriesPerFamily / 2);
      const ended = samplesOf(ages, ['m1', 'm2', 'm3', 'm4']).filter(({ part }) => part === '_count');
      expect(ended.reduce((sum, { value }) => sum + value, 0)).toBe(600);
    },
  );

  it('are kept when the limits decrease, and further queries share one name', () => {
    const ages = createQueryAges();
    ages.onPollResult(feedOf(), listOf(['a', 20]), pace);
    ages.setLimits({ seriesPerFamily: 52 });
    ages.onPollResult(feedOf(), listOf(['a', 25], ['b', 20, 'social']), pace);
    endAllQueries(ages);
    expect(counts(ages)).toEqual(['m1 fraud ring_scan _count 1', 'm1  other _count 1']);
  });
});
