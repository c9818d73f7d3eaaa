import { describe, expect, it } from 'vitest';
import { Replay } from '../../../src/guard/tape/replay.ts';
import { settingsOf } from '../decision/world.ts';
import { epoch } from '../listed.ts';
import { policyOf } from '../policy-of.ts';
import { headerOf, listsUntil } from './tapes.ts';

const old = { name: 'old', mode: 'enforce', when: { age: '> 1m' }, grace: '10s' };
const deep = { name: 'deep', when: { params: { depth: '4*' }, age: '> 30s' }, grace: '10s', victims: { max: 9 } };
const clauses = [{ param: 'depth', patterns: ['4*'] }];
const queries = [
  { serial: 1, told: '1' },
  { serial: 2, told: '0', query: '/query/fraud/pagerank' },
];

function replayed(policies: readonly object[], told: boolean, options: { readonly enforceAll?: boolean } = {}) {
  const header = headerOf(told ? { clauses } : {});
  const replay = new Replay(settingsOf(policies.map((one) => policyOf({ ...one }))), header, options);
  const known = told
    ? queries
    : queries.map(({ serial, query }) => ({ serial, ...(query === undefined ? {} : { query }) }));
  for (const event of listsUntil(120_000, known)) replay.take(event);
  return replay.finish();
}

describe('a replay', () => {
  it('reports what every policy would have done', () => {
    const report = replayed([deep, old], true);
    expect(report).toMatchObject({
      cluster: 'prod',
      from: epoch,
      to: epoch + 120_000,
      unlisted: 0,
      unknown: [],
      breakers: [],
    });
    expect(report.nodes).toEqual([{ node: 'n1', lists: 25, failed: 0, voids: {}, leftOut: {}, coveredAt: epoch }]);
    expect(report.decisions.map(({ policy, query, verdict }) => [policy, query, verdict])).toEqual([
      ['deep', 'ring_scan', 'would_abort'],
      ['old', 'ring_scan', 'aborted'],
      // It had its turn when the first one was over.
      ['old', 'pagerank', 'held'],
    ]);
    expect(report.settings.map(({ query, timeout, policies }) => [query, timeout, policies])).toEqual([
      ['ring_scan', 40_000, ['deep', 'old']],
    ]);
  });

  it('tells of decisions that were due at once by their ids, whichever began first', () => {
    const ranks = { ...old, name: 'ranks', when: { query: 'pagerank', age: '> 1m' } };
    const both = [
      { serial: 1, query: '/query/fraud/ring_scan' },
      { serial: 2, query: '/query/fraud/pagerank' },
    ];
    const replay = new Replay(settingsOf([policyOf(ranks), policyOf(old)]), headerOf());
    for (const event of listsUntil(120_000, both)) replay.take(event);
    expect(replay.finish().decisions.map(({ policy, id, due }) => [policy, id.slice(0, 2), due - epoch])).toEqual([
      ['old', '1.', 70_000],
      ['ranks', '2.', 70_000],
    ]);
  });

  it('counts matches by policy, and what came of them', () => {
    const report = replayed([deep, { ...old, victims: { max: 2 } }], true);
    const none = { aborted: 0, would_abort: 0, held: 0, over: 0, open: 0 };
    expect(report.policies).toEqual([
      { policy: 'deep', mode: 'observe', matches: 1, verdicts: { ...none, would_abort: 1 } },
      { policy: 'old', mode: 'enforce', matches: 2, verdicts: { ...none, aborted: 1, held: 1 } },
    ]);
  });

  it('judges all as enforcing where that is asked for', () => {
    const report = replayed([deep, old], true, { enforceAll: true });
    expect(report.decisions.map(({ policy, mode, verdict }) => [policy, mode, verdict])).toEqual([
      ['deep', 'enforce', 'aborted'],
      ['old', 'enforce', 'aborted'],
    ]);
    expect(report.decisions.map(({ query }) => query)).toEqual(['ring_scan', 'pagerank']);
  });

  it('does not call a match what the recording cannot tell', () => {
    const report = replayed([deep, old], false);
    expect(report.unknown).toEqual([{ policy: 'deep', lacks: ['when.params.depth like 4*'], matches: 2 }]);
    expect(report.policies.map(({ policy }) => policy)).toEqual(['old']);
    expect(report.decisions.every(({ policy }) => policy === 'old')).toBe(true);
  });

  it('has nothing to say of a recording without a list', () => {
    const report = new Replay(settingsOf([policyOf(old)]), headerOf()).finish();
    expect(report).toMatchObject({ from: 0, to: 0, decisions: [], policies: [{ policy: 'old', matches: 0 }] });
  });

  it('lists decisions by E, whichever began first', () => {
    const late = { name: 'late', when: { query: 'pagerank', age: '> 30s' }, grace: '50s' };
    const { decisions } = replayed([late, old], true, { enforceAll: true });
    expect(decisions.map(({ policy, due }) => [policy, due - epoch])).toEqual([
      ['old', 70_000],
      ['late', 80_000],
    ]);
  });
});
