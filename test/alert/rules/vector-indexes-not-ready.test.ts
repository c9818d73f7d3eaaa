import { describe, expect, it } from 'vitest';
import { vectorIndexesNotReady } from '../../../src/alert/rules/vector-indexes-not-ready.ts';
import { findings, firingIdentities, situationWith } from './rule-fixtures.ts';

function engines(rebuilding: number, graph = 'fraud') {
  return situationWith({ graphdb_vector_index_rebuilding_engines: [[{ graph }, rebuilding]] });
}

describe('vector_indexes_not_ready', () => {
  it.each([
    ['all indexes are ready', 0, []],
    ['one engine rebuilds', 1, ['fraud']],
    ['all engines rebuild', 3, ['fraud']],
  ])('finds $2 if $0', (_, rebuilding, firing) => {
    expect(firingIdentities(vectorIndexesNotReady, engines(rebuilding))).toEqual(firing);
  });

  it('states how many', () => {
    expect(findings(vectorIndexesNotReady, engines(1))[0]?.facts).toEqual({ engines: '1 engine' });
    expect(findings(vectorIndexesNotReady, engines(3))[0]?.facts).toEqual({ engines: '3 engines' });
  });

  it('carries any name of a graph', () => {
    expect(findings(vectorIndexesNotReady, engines(1, '"\n<b>'))[0]?.labels.graph).toBe('"\n<b>');
  });
});
