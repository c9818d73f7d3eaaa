import { describe, expect, it } from 'vitest';
import { collectors } from '../../src/collect/all.ts';
import { collectorSuite } from './collector-suite.ts';
import { graphs as example } from './example-collector.ts';

describe('a collector that is not in the list', () => collectorSuite(example));

describe('collectors', () => {
  it('declare a family once, or by the same constant if one collector yields to the other', () => {
    for (const collector of collectors) {
      for (const other of collectors) {
        if (other === collector) continue;
        const shared = collector.metrics.filter(({ name }) => other.metrics.some((metric) => metric.name === name));
        const related = collector.fallbackFor === other.name || other.fallbackFor === collector.name;
        expect(shared.length > 0).toBe(related);
        for (const metric of shared) expect(other.metrics).toContain(metric);
      }
    }
  });

  it('yield to existing collectors', () => {
    const names = collectors.map((collector) => collector.name);
    for (const { fallbackFor } of collectors) if (fallbackFor !== undefined) expect(names).toContain(fallbackFor);
  });
});
