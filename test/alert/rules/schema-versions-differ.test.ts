import { describe, expect, it } from 'vitest';
import { schemaVersionsDiffer } from '../../../src/alert/rules/schema-versions-differ.ts';
import { findings, firingIdentities, situationWith, view } from './rule-fixtures.ts';

function versions(counts: Readonly<Record<string, number>>, graph = 'fraud') {
  return Object.entries(counts).map(([node, version]) => [{ node, graph }, version] as const);
}

function situation(counts: Readonly<Record<string, number>>, fresh = true) {
  const collectors = ['m1', 'm2', 'm3'].map((node) => view('schema_versions', node, { fresh: fresh || node !== 'm3' }));
  return situationWith({ graphdb_schema_version: versions(counts) }, { collectors });
}

describe('schema_versions_differ', () => {
  it.each([
    ['all nodes have the same version', { m1: 3, m2: 3, m3: 3 }, []],
    ['one node is behind', { m1: 3, m2: 2, m3: 3 }, ['fraud']],
    ['there is one node', { m1: 3 }, []],
    ['no version is known', {}, []],
  ])('finds $2 if $0', (_, counts, firing) => {
    expect(firingIdentities(schemaVersionsDiffer, situation(counts))).toEqual(firing);
  });

  it('states the lowest and the highest version of each graph separately', () => {
    const rows = [...versions({ m1: 1, m2: 4, m3: 2 }), ...versions({ m1: 7, m2: 7 }, '"\n<b>')];
    const found = findings(schemaVersionsDiffer, situationWith({ graphdb_schema_version: rows }));
    expect(found.map(({ labels, facts }) => ({ ...labels, ...facts }))).toEqual([
      { graph: 'fraud', lowest: '1', highest: '4' },
    ]);
  });

  it('has fresh facts of different versions while another node is not polled, but not of equal versions', () => {
    const knows = (counts: Readonly<Record<string, number>>, fresh: boolean) =>
      schemaVersionsDiffer.knows?.(situation(counts, fresh), { graph: 'fraud' });
    expect(knows({ m1: 3, m2: 3, m3: 3 }, true)).toBe(true);
    expect(knows({ m1: 3, m2: 3 }, false)).toBe(false);
    expect(knows({ m1: 3, m2: 4 }, false)).toBe(true);
  });
});
