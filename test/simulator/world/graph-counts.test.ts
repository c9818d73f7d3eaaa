import { describe, expect, it } from 'vitest';
import { graphCounts } from '../../../src/simulator/world/graph-counts.ts';
import { noon, worldOf } from '../test-world.ts';

describe('the numbers of a graph', () => {
  it('grow with time, and never shrink by themselves', () => {
    const [young, old] = [graphCounts(0, false), graphCounts(3_600_000, false)];
    for (const [type, count] of Object.entries(young.vertices)) {
      expect(count).toBeGreaterThan(1000);
      expect(old.vertices[type]).toBeGreaterThan(count);
    }
    for (const [type, count] of Object.entries(young.edges)) expect(old.edges[type]).toBeGreaterThan(count);
  });

  it('are 0 after the store was cleared', () => {
    const { vertices, edges } = graphCounts(5000, true);
    expect([...Object.values(vertices), ...Object.values(edges)]).toEqual([0, 0, 0, 0, 0]);
  });

  it('follow the scenario', () => {
    const world = worldOf({ scenario: 'cleared_store' });
    const accounts = (seconds: number): number | undefined => {
      world.advance(noon + seconds * 1000);
      return world.graphCounts().vertices.Account;
    };
    expect([accounts(10), accounts(40), accounts(640)].map((count) => (count ?? 0) > 0)).toEqual([true, false, true]);
  });
});
