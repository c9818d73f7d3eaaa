import { describe, expect, it } from 'vitest';
import { Replay } from '../../../src/guard/recording/replay.ts';
import { settingsOf } from '../decision/guard-simulation.ts';
import { epoch } from '../observations.ts';
import { policyOf } from '../parsed-policy.ts';
import { headerOf, listsUntil } from './recordings.ts';

const old = { name: 'old', mode: 'enforce', when: { age: '> 1m' }, grace: '10s' };
const deep = { name: 'deep', when: { params: { depth: '4*' }, age: '> 30s' }, grace: '10s', victims: { max: 9 } };
const clauses = [{ param: 'depth', patterns: ['4*'] }];
const queries = [
  { serial: 1, results: '1' },
  { serial: 2, results: '0', query: '/query/fraud/pagerank' },
];

function replayed(policies: readonly object[], reported: boolean, options: { readonly enforceAll?: boolean } = {}) {
  const header = headerOf(reported ? { clauses } : {});
  const replay = new Replay(settingsOf(policies.map((one) => policyOf({ ...one }))), header, options);
  const known = reported
    ? queries
    : queries.map(({ serial, query }) => ({ serial, ...(query === undefined ? {} : { query }) }));
  for (const event of listsUntil(120_000, known)) replay.feed(event);
  return replay.finish();
}

describe('replay', () => {
  it('reports the decisions of every policy', () => {
    const report = replayed([deep, old], true);
    expect(report).toMatchObject({
      cluster: 'prod',
      from: epoch,
      to: epoch + 120_000,
      unlisted: 0,
      unknown: [],
      breakers: [],
    });
    expect(report.nodes).toEqual([{ node: 'n1', lists: 25, failed: 0, rejected: {}, skipped: {}, coveredAt: epoch }]);
    expect(report.decisions.map(({ policy, query, result }) => [policy, query, result])).toEqual([
      ['deep', 'ring_scan', 'would_abort'],
      ['old', 'ring_scan', 'aborted'],
      // It had its turn when the first one was over.
      ['old', 'pagerank', 'held'],
    ]);
    expect(report.settings.map(({ query, timeout, policies }) => [query, timeout, policies])).toEqual([
      ['ring_scan', 40_000, ['deep', 'old']],
    ]);
  });

  it('sorts decisions with equal earliest abort times by id', () => {
    const ranks = { ...old, name: 'ranks', when: { query: 'pagerank', age: '> 1m' } };
    const both = [
      { serial: 1, query: '/query/fraud/ring_scan' },
      { serial: 2, query: '/query/fraud/pagerank' },
    ];
    const replay = new Replay(settingsOf([policyOf(ranks), policyOf(old)]), headerOf());
    for (const event of listsUntil(120_000, both)) replay.feed(event);
    expect(replay.finish().decisions.map(({ policy, id, due }) => [policy, id.slice(0, 2), due - epoch])).toEqual([
      ['old', '1.', 70_000],
      ['ranks', '2.', 70_000],
    ]);
  });

  it('counts matches and results by policy', () => {
    const report = replayed([deep, { ...old, victims: { max: 2 } }], true);
    const none = { aborted: 0, would_abort: 0, held: 0, over: 0, open: 0 };
    expect(report.policies).toEqual([
      { policy: 'deep', mode: 'observe', matches: 1, results: { ...none, would_abort: 1 } },
      { policy: 'old', mode: 'enforce', matches: 2, results: { ...none, aborted: 1, held: 1 } },
    ]);
  });

  it('enforces all policies with enforceAll', () => {
    const report = replayed([deep, old], true, { enforceAll: true });
    expect(report.decisions.map(({ policy, mode, result }) => [policy, mode, result])).toEqual([
      ['deep', 'enforce', 'aborted'],
      ['old', 'enforce', 'aborted'],
    ]);
    expect(report.decisions.map(({ query }) => query)).toEqual(['ring_scan', 'pagerank']);
  });

  it('reports policies that the recording cannot answer as unknown', () => {
    const report = replayed([deep, old], false);
    expect(report.unknown).toEqual([{ policy: 'deep', lacks: ['when.params.depth like 4*'], matches: 2 }]);
    expect(report.policies.map(({ policy }) => policy)).toEqual(['old']);
    expect(report.decisions.every(({ policy }) => policy === 'old')).toBe(true);
  });

  it('has no results for a recording without a list', () => {
    const report = new Replay(settingsOf([policyOf(old)]), headerOf()).finish();
    expect(report).toMatchObject({ from: 0, to: 0, decisions: [], policies: [{ policy: 'old', matches: 0 }] });
  });

  it('sorts decisions by earliest abort time', () => {
    const late = { name: 'late', when: { query: 'pagerank', age: '> 30s' }, grace: '50s' };
    const { decisions } = replayed([late, old], true, { enforceAll: true });
    expect(decisions.map(({ policy, due }) => [policy, due - epoch])).toEqual([
      ['old', 70_000],
      ['late', 80_000],
    ]);
  });
});
