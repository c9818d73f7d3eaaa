import { describe, expect, it } from 'vitest';
import { graphShrunk } from '../../../src/alert/rules/graph-shrunk.ts';
import { findings, firingIdentities, situationWith } from './rule-fixtures.ts';

function graph(vertices: number, before: number | undefined) {
  const families = { graphdb_graph_vertices: [[{ graph: 'fraud' }, vertices] as const] };
  return situationWith(families, { recentMaximum: () => before });
}

describe('graph_shrunk', () => {
  it.each([
    ['the store was cleared', 0, 1_000_000, ['fraud']],
    ['it lost more than half of its vertices', 499_999, 1_000_000, ['fraud']],
    ['it lost half of its vertices', 500_000, 1_000_000, []],
    ['it lost no vertices', 1_000_000, 1_000_000, []],
    ['it grew', 3_000_000, 1_000_000, []],
    ['it had 1,000 vertices', 0, 1000, ['fraud']],
    ['it had fewer than 1,000 vertices', 0, 999, []],
    ['it was always empty', 0, 0, []],
    ['the count of an hour ago is unknown', 0, undefined, []],
  ])('finds $3 if $0', (_, vertices, before, firing) => {
    expect(firingIdentities(graphShrunk, graph(vertices, before))).toEqual(firing);
  });

  it('states the lost share', () => {
    expect(findings(graphShrunk, graph(250, 1000))[0]?.facts).toEqual({
      vertices: '250',
      before: '1000',
      lost: '75 %',
    });
  });

  it('follows the thresholds', () => {
    expect(firingIdentities(graphShrunk, graph(850, 1000), { share: 0.1 })).toEqual(['fraud']);
    expect(firingIdentities(graphShrunk, graph(0, 1000), { min_vertices: 1001 })).toEqual([]);
  });

  it('reports each graph separately, with any name', () => {
    const names = ['"a"\n', '<b>', ''];
    const families = { graphdb_graph_vertices: names.map((name) => [{ graph: name }, 0] as const) };
    const situation = situationWith(families, { recentMaximum: () => 5000 });
    expect(findings(graphShrunk, situation).map(({ labels }) => labels.graph)).toEqual(names);
  });

  it('states the present number when it resolves', () => {
    const current = (name: string) => graphShrunk.current?.(graph(42, 50), { graph: name });
    expect([current('fraud'), current('other')]).toEqual([{ vertices: '42' }, { vertices: 'an unknown number of' }]);
  });
});
