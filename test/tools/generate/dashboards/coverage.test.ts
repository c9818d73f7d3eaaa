import { describe, expect, it } from 'vitest';
import { rules } from '../../../../src/alert/rules/all.ts';
import { labelsOf } from '../../../../tools/generate/dashboards/promql.ts';
import { unusedMetrics } from '../../../../tools/generate/dashboards/unused-metrics.ts';
import { documentedMetrics } from '../../../../tools/generate/metrics-reference.ts';
import { committed, panelsOf } from './model.ts';
import { labelOf, selectorsOf } from './selectors.ts';

const attached = ['job', 'instance'];
const catalogue = documentedMetrics().map(({ name }) => name);
const expressions = committed.flatMap(([, dashboard]) => [
  ...panelsOf(dashboard).flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ...dashboard.annotations.list.map(({ expr }) => expr),
]);
const shown = new Set(expressions.flatMap((expression) => selectorsOf(expression).map(({ name }) => familyOf(name))));
const ruled = new Set(rules.flatMap(({ twin = '' }) => twin.match(/\bgraph(?:db|warden)_\w+/g) ?? []).map(familyOf));

/** Returns the family of a series: the series of a histogram belong to it. */
function familyOf(name: string): string {
  return catalogue.includes(name) ? name : name.replace(/_(?:bucket|sum|count)$/, '');
}

/** Returns the families that are on no panel, in no rule and not listed as unused. */
function forgotten(all: readonly string[]): readonly string[] {
  return all.filter((name) => !shown.has(name) && !ruled.has(name) && !Object.hasOwn(unusedMetrics, name));
}

describe('metrics in the catalog', () => {
  it('are on a panel, in a rule, or listed as unused with a reason', () => {
    expect(forgotten(catalogue)).toEqual([]);
  });

  it('are reported if they are new', () => {
    expect(forgotten([...catalogue, 'graphdb_novelty'])).toEqual(['graphdb_novelty']);
  });
});

describe('unused metrics', () => {
  it('are in the catalog, on no panel and in no rule', () => {
    const names = Object.keys(unusedMetrics);
    expect(names.filter((name) => !catalogue.includes(name))).toEqual([]);
    expect(names.filter((name) => shown.has(name) || ruled.has(name))).toEqual([]);
    for (const reason of Object.values(unusedMetrics)) expect(reason.length).toBeGreaterThan(15);
  });
});

describe('panel queries', () => {
  it('use metrics of the catalog', () => {
    expect([...shown].filter((name) => !catalogue.includes(name))).toEqual([]);
    expect(shown.size).toBeGreaterThan(80);
  });

  it('use labels of their metrics', () => {
    const wrong = expressions.flatMap((expression) =>
      selectorsOf(expression).flatMap(({ name, matchers }) =>
        matchers
          .map(labelOf)
          .filter((label) => !attached.includes(label) && !labelsOf(name).includes(label))
          .map((label) => `${name} has no ${label}`),
      ),
    );
    expect(wrong).toEqual([]);
  });

  it('filter by every variable that applies', () => {
    const wide = expressions.flatMap((expression) =>
      selectorsOf(expression).flatMap(({ name, matchers }) =>
        ['cluster_name', 'node', 'graph', 'service_name'].filter(
          (label) => labelsOf(name).includes(label) && !matchers.includes(`${label}=~"$${label}"`),
        ),
      ),
    );
    expect(wide).toEqual([]);
  });

  it('use no recorded series', () => {
    expect(expressions.filter((expression) => /\w:\w/.test(expression))).toEqual([]);
  });
});
