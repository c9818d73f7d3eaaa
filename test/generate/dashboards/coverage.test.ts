import { describe, expect, it } from 'vitest';
import { raw } from '../../../generate/dashboards/raw.ts';
import { labelsOf } from '../../../generate/dashboards/series.ts';
import { families } from '../../../generate/metrics.ts';
import { rules } from '../../../src/alert/rules/all.ts';
import { committed, panelsOf } from './model.ts';
import { labelOf, selectorsOf } from './promql.ts';

const attached = ['job', 'instance'];
const catalogue = families().map(({ name }) => name);
const expressions = committed.flatMap(([, dashboard]) => [
  ...panelsOf(dashboard).flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ...dashboard.annotations.list.map(({ expr }) => expr),
]);
const shown = new Set(expressions.flatMap((expression) => selectorsOf(expression).map(({ name }) => familyOf(name))));
const ruled = new Set(rules.flatMap(({ twin = '' }) => twin.match(/\bgraph(?:db|warden)_\w+/g) ?? []).map(familyOf));

/** A series of a histogram belongs to its family. */
function familyOf(name: string): string {
  return catalogue.includes(name) ? name : name.replace(/_(?:bucket|sum|count)$/, '');
}

/** Families that are on no panel, in no rule and not listed as raw. */
function forgotten(all: readonly string[]): readonly string[] {
  return all.filter((name) => !shown.has(name) && !ruled.has(name) && !Object.hasOwn(raw, name));
}

describe('every family of the catalogue', () => {
  it('is on a panel, in a rule, or listed as raw with a reason', () => {
    expect(forgotten(catalogue)).toEqual([]);
  });

  it('would be missed, were it new', () => {
    expect(forgotten([...catalogue, 'graphdb_novelty'])).toEqual(['graphdb_novelty']);
  });
});

describe('what is listed as raw', () => {
  it('is in the catalogue, and on no panel and in no rule', () => {
    const names = Object.keys(raw);
    expect(names.filter((name) => !catalogue.includes(name))).toEqual([]);
    expect(names.filter((name) => shown.has(name) || ruled.has(name))).toEqual([]);
    for (const reason of Object.values(raw)) expect(reason.length).toBeGreaterThan(15);
  });
});

describe('what a panel asks for', () => {
  it('is in the catalogue', () => {
    expect([...shown].filter((name) => !catalogue.includes(name))).toEqual([]);
    expect(shown.size).toBeGreaterThan(80);
  });

  it('has the labels that it is asked by', () => {
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

  it('is narrowed by every variable that applies', () => {
    const wide = expressions.flatMap((expression) =>
      selectorsOf(expression).flatMap(({ name, matchers }) =>
        ['cluster_name', 'node', 'graph'].filter(
          (label) => labelsOf(name).includes(label) && !matchers.includes(`${label}=~"$${label}"`),
        ),
      ),
    );
    expect(wide).toEqual([]);
  });

  it('is no rule of somebody else: panels work without recorded series', () => {
    expect(expressions.filter((expression) => /\w:\w/.test(expression))).toEqual([]);
  });
});
