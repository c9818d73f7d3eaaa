import { expect, it } from 'vitest';
import { hasFreshFacts } from '../../src/alert/evaluation.ts';
import { rules } from '../../src/alert/rules/all.ts';
import { collectors as all } from '../../src/collect/all.ts';
import type { CollectorView } from '../../src/model/situation.ts';
import { situationOf } from './alerting-testbed.ts';

function view(collector: string, node: string, fresh: boolean): CollectorView {
  return { collector, node, fresh, reason: '', message: '', dueSince: 0 };
}

const collectors = [
  view('health', 'm1', true),
  view('health', 'm2', false),
  view('services', '', true),
  view('license', '', false),
];
const situation = { ...situationOf({ rules: {} }), collectors };

it.each([
  [['health'], { node: 'm1' }, true],
  [['health'], { node: 'm2' }, false],
  [['health'], { node: 'm9' }, true],
  [['health'], {}, false],
  [['services'], {}, true],
  [['services'], { node: 'm2' }, true],
  [['services', 'license'], {}, false],
  [['health', 'services'], { node: 'm1' }, true],
  [['switched_off'], {}, true],
  [[], {}, true],
] satisfies readonly (readonly [readonly string[], Readonly<Record<string, string>>, boolean])[])(
  'freshness of the needs %j for %j is %s',
  (needs, identity, expected) => {
    expect(hasFreshFacts({ needs }, situation, identity)).toBe(expected);
  },
);

it('no node fact is fresh before a node is discovered', () => {
  const none = { ...situation, nodes: [] };
  expect(hasFreshFacts({ needs: ['services'] }, none, { node: 'm1' })).toBe(false);
  expect(hasFreshFacts({ needs: ['services'] }, none, {})).toBe(true);
});

it('no fact is fresh before a collector is declared', () => {
  expect(hasFreshFacts({ needs: [] }, { ...situation, collectors: [] }, {})).toBe(false);
});

it.each([
  [{ graph: 'fraud' }, true],
  [{ graph: 'risk' }, false],
  [{ graph: 'fraud', type: 'Account' }, true],
])('after a poll that failed for other graphs, the facts of %j are fresh: %s', (identity, expected) => {
  const rule = { needs: ['license'], answeredBy: ['graphdb_graphs_seen'] };
  const partial = { ...situation, samples: () => [{ labels: { graph: 'fraud', kind: 'x' }, value: 1 }] };
  expect(hasFreshFacts(rule, partial, identity)).toBe(expected);
  expect(hasFreshFacts({ needs: ['license'] }, partial, identity)).toBe(false);
});

it('each rule about a graph has fresh facts for the graphs that a partial poll returned', () => {
  const perGraph = all.filter(({ calls, scope }) => calls.includes('graphs') && scope === 'cluster');
  const polled = new Set(perGraph.map(({ name }) => name));
  const ofGraphs = rules.flatMap((rule) =>
    rule.scope === 'cluster' && rule.needs.some((need) => polled.has(need)) ? [rule] : [],
  );
  expect(ofGraphs.map(({ name }) => name)).toContain('vector_indexes_not_ready');
  for (const { name, answeredBy, families } of ofGraphs) {
    expect([name, answeredBy?.length ?? 0]).not.toEqual([name, 0]);
    expect(families).toEqual(expect.arrayContaining([...(answeredBy ?? [])]));
    for (const family of answeredBy ?? []) {
      const metric = all.flatMap(({ metrics }) => metrics).find((one) => one.name === family);
      expect([family, metric?.labels]).toEqual([family, expect.arrayContaining(['graph'])]);
    }
  }
});
