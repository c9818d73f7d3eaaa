import { describe, expect, it } from 'vitest';
import { clusterDown as rule } from '../../../src/alert/rules/cluster-down.ts';
import { findings, partition, replica, situationWith } from './rule-fixtures.ts';

function nodesUp(...values: readonly number[]) {
  return { graphdb_up: values.map((value, at) => [{ node: `m${at + 1}` }, value] as const) };
}

const replicas = [replica(), replica({ service: 'GSE' })];
const down = [partition({ online: 0 }), partition({ service: 'GSE', online: 0 })];

describe('a cluster', () => {
  it.each([
    ['is down if no node answers', [0, 0], ['none of its 2 nodes answers']],
    ['is not down if a node answers', [0, 1], []],
    ['is not down if a node was not polled yet', [0], []],
  ])('%s', (_, values, expected) => {
    expect(findings(rule, situationWith(nodesUp(...values))).map(({ facts }) => facts.reason)).toEqual(expected);
  });

  it.each([
    [2, 'all of its 2 nodes are reachable, but refuse requests'],
    [1, 'of its 2 nodes, 1 without an answer, 1 refusing requests'],
    [0, 'none of its 2 nodes answers'],
  ])('reports the number of responding nodes: %d', (count, reason) => {
    const reachable = ['m1', 'm2'].map((node, at) => [{ node }, at < count ? 1 : 0] as const);
    const samples = { ...nodesUp(0, 0), graphdb_reachable: reachable };
    expect(findings(rule, situationWith(samples)).map(({ facts }) => facts.reason)).toEqual([reason]);
  });

  it('of one node is covered by node_unreachable', () => {
    expect(findings(rule, situationWith(nodesUp(0), { nodes: ['m1'] }))).toEqual([]);
  });

  it.each([
    ['is down if no replicated service has an online replica', down, 1],
    ['is not down if one has', [partition({ online: 1 }), partition({ service: 'GSE', online: 0 })], 0],
    ['is not down if a single service is', [partition({ online: 0 })], 0],
    ['is not down if nothing is observed', [partition({ online: undefined })], 0],
  ])('%s', (_, partitions, count) => {
    expect(findings(rule, situationWith(nodesUp(1, 1), { partitions, replicas }))).toHaveLength(count);
  });
});

describe('whether a cluster is down', () => {
  const pending = { collector: 'health', reason: '' as const, message: '', dueSince: 0, fresh: false };
  const unpolled = ['m1', 'm2'].map((node) => ({ ...pending, node }));
  const collectors = unpolled.map((view) => ({ ...view, fresh: true, lastSuccess: 1 }));

  it.each([
    ['is known if all nodes are polled and services observed', { collectors, partitions: down }, nodesUp(1, 1), true],
    ['is known if no node answers', { partitions: [partition({ online: undefined })] }, nodesUp(0, 0), true],
    [
      'is unknown if no service is observed',
      { collectors, partitions: [partition({ online: undefined })] },
      nodesUp(1, 1),
      false,
    ],
    ['is not known before the first polls', { collectors: unpolled }, nodesUp(), false],
  ])('%s', (_, more, families, expected) => {
    expect(rule.knows?.(situationWith(families, more), {})).toBe(expected);
  });
});
