import { expect, it } from 'vitest';
import { pageMetrics, pageSamples } from '../../../src/app/page/self-metrics.ts';

it('counts missing series, including 0', () => {
  expect(pageSamples(0)).toMatchObject([{ labels: {}, value: 0 }]);
  expect(pageSamples(7)).toMatchObject([{ value: 7 }]);
  expect(pageSamples(7).map(({ metric }) => metric)).toEqual(pageMetrics);
});
