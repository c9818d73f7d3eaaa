import { expect, it } from 'vitest';
import { missingLines, replicaLines } from '../../src/api/replica-lines.ts';
import { type ReplicasReport, replicaSchema } from '../../src/api/replicas.ts';
import { exampleOf } from './object-cases.ts';

const now = Date.parse('2026-01-31T12:05:00Z');
const one = replicaSchema.parse(exampleOf(replicaSchema));
const two = { ...one, id: 'two', name: 'graphwarden-1', self: false, clusters: ['dev', 'test'] };

function linesOf(items: readonly (typeof one)[], more: Partial<ReplicasReport> = {}) {
  const state = { databaseAway: false, databaseAnsweredAt: '2026-01-31T12:04:20.000Z', withoutOwner: [], ...more };
  return replicaLines({ items, total: items.length, limit: 100, offset: 0, ...state }, now);
}

it('without a shared database, there is no line about replicas', () => {
  expect(linesOf([])).toEqual([]);
});

it('the first line names the live replicas with the numbers of their clusters', () => {
  const text = 'Replicas: 2 of 2 live. graphwarden-0 (answers here): 1 cluster, graphwarden-1: 2 clusters';
  expect(linesOf([one, two])).toEqual([{ text, isProblem: false }]);
});

it('replicas with the same name have their addresses', () => {
  const [line] = linesOf([one, { ...two, name: one.name, url: 'http://other:9916' }]);
  expect(line?.text).toContain('graphwarden-0 (http://graphwarden-0:9916) (answers here): 1 cluster');
  expect(line?.text).toContain('graphwarden-0 (http://other:9916): 2 clusters');
});

it('further lines name the problems', () => {
  const three = { ...two, id: 'three', name: 'graphwarden-2', live: false };
  const lines = linesOf([one, { ...two, sameClusters: false, sameSettings: false }, three], {
    databaseAway: true,
    withoutOwner: Array.from({ length: 12 }, (_, at) => `c${at}`),
  });
  expect(lines.slice(1)).toEqual(
    [
      'The database does not answer for 40s: queries are not aborted, and notifications continue only if no replica reaches it',
      'Clusters that no replica owns: c0, c1, c2, c3, c4, c5, c6, c7, c8, c9 and 2 more',
      'Replicas that do not run: graphwarden-2 (last seen 5m ago)',
      'Replicas with other clusters in their configuration: graphwarden-1',
      'Replicas with other settings in their configuration: graphwarden-1',
    ].map((text) => ({ text, isProblem: true })),
  );
  expect(linesOf([], { databaseAway: true, databaseAnsweredAt: null })[1]?.text).toMatch(
    /^The database does not answer:/,
  );
});

it('missing data of an answer is a sentence for each replica', () => {
  const missing = [
    { replica: 'b', clusters: ['prod', ''], reason: 'the replica b did not answer' },
    { replica: '', clusters: ['dev'], reason: 'no replica owns these clusters at present' },
  ];
  expect(missingLines(missing)).toEqual([
    'No data of prod, graphwarden itself, because the replica b did not answer',
    'No data of dev, because no replica owns these clusters at present',
  ]);
});
