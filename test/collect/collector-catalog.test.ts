import { describe, expect, it } from 'vitest';
import { collectors } from '../../src/collect/all.ts';
import { metricCatalog } from '../../src/collect/collector.ts';

describe('metricCatalog', () => {
  const catalogue = metricCatalog(collectors);

  it('lists every declared family once, by name', () => {
    const declared = new Set(collectors.flatMap(({ metrics }) => metrics.map((metric) => metric.name)));
    expect([...catalogue.keys()]).toEqual([...declared].toSorted());
  });

  it('has the collectors of each family', () => {
    expect(catalogue.get('graphdb_up')).toMatchObject({ scope: 'node', collectors: ['health'] });
    expect(catalogue.get('graphdb_disk_free_bytes')).toMatchObject({
      scope: 'cluster',
      collectors: ['metrics', 'categories'],
    });
  });

  it('is empty for no collectors', () => {
    expect(metricCatalog([]).size).toBe(0);
  });
});
