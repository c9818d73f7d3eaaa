import { expect, it } from 'vitest';
import { graphCounts } from '../../../src/simulator/world/graph-counts.ts';
import { simulatedSchema, typeNames } from '../../../src/simulator/world/schema.ts';
import { nodeOf, noon, worldOf } from '../test-world.ts';

it('simulated schema › has the types whose vertices and edges are counted', () => {
  const { vertices, edges } = graphCounts(0, false);
  expect(typeNames(false)).toEqual({ vertices: Object.keys(vertices), edges: Object.keys(edges) });
});

it('simulated schema › replaces an attribute with its index when it is changed, by a job', () => {
  const [before, after] = [simulatedSchema(false), simulatedSchema(true)];
  const attributes = [before, after].map(({ vertexTypes: [first] }) => first?.attributes.map(({ name }) => name));
  expect(attributes).toEqual([
    ['balance', 'opened_at'],
    ['balance', 'risk_score'],
  ]);
  expect([before.jobs, after.jobs]).toEqual([[], ['add_risk_score']]);
});

function versionsOf(nodes: number): readonly number[] {
  const world = worldOf({ scenario: 'schema_change', nodes });
  world.advance(noon + 60_000);
  return Array.from({ length: nodes }, (_, at) => world.schemaVersion(nodeOf(world, at)));
}

it('simulated schema › has a version that the last of several nodes misses', () => {
  expect([versionsOf(1), versionsOf(3)]).toEqual([[2], [2, 2, 1]]);
});
