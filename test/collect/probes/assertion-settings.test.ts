import { expect, it } from 'vitest';
import { assertionsSection } from '../../../src/collect/probes/assertion-settings.ts';

it('assertions contain only configured keys', () => {
  expect(assertionsSection.parse(undefined)).toEqual({ values: [] });
  expect(assertionsSection.parse({ max_latency: '1s', count: { max: 3 } })).toEqual({
    values: [],
    maxLatency: 1000,
    count: { max: 3 },
  });
});
