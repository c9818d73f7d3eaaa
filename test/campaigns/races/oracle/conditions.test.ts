import { describe, expect, it } from 'vitest';
import {
  conditionSpan,
  countCompetingQueries,
  isProtectedQuery,
  matchesStaticConditions,
  meetsGroupCondition,
} from '../../../../campaigns/races/oracle/conditions.ts';
import {
  confirmedAt,
  isPausedAt,
  observationsOf,
  processStartAt,
  stateKnownSince,
} from '../../../../campaigns/races/oracle/recorded-run.ts';
import type { Query } from '../../../../campaigns/races/simulation/log.ts';
import type { Conditions } from '../../../../src/guard/conditions/all.ts';
import { settingsOf } from '../../../guard/decision/guard-simulation.ts';
import { bound, globs } from '../../../guard/match-inputs.ts';
import { listOf, policy, queryOf, recordedRunOf } from '../logs.ts';

const query = queryOf();
const untimed = queryOf();
Reflect.deleteProperty(untimed, 'grantedTimeout');

function isOnFirst({ node }: Query): boolean {
  return node === 'n1';
}

describe('clauses', () => {
  it.each<[Conditions, boolean]>([
    [{ query: globs('ring_*') }, true],
    [{ query: globs('ring') }, false],
    [{ query: globs('ring.scan', 'ring?scan') }, true],
    [{ query: globs('ring.scan') }, false],
    [{ graph: globs('f*'), node: globs('n?') }, true],
    [{ graph: globs('f*'), node: globs('n2') }, false],
    [{ grantedTimeout: bound('>= 3600000') }, true],
    [{ grantedTimeout: bound('> 3600000') }, false],
  ])('on constant fields: %j', (when, isIt) => {
    expect(matchesStaticConditions({ when }, query)).toBe(isIt);
  });

  it.each<Conditions>([{ grantedTimeout: bound('> 0') }, { remaining: bound('> 0') }, { ageShare: bound('> 0') }])(
    'on a timeout are not met by a query without a timeout: %j',
    (when) => {
      expect(matchesStaticConditions({ when }, untimed)).toBe(false);
    },
  );

  it('on time hold from the lower to the upper bound', () => {
    expect(conditionSpan({ when: { age: bound('> 30000') } }, query, 0)).toEqual({
      from: 31_000,
      to: Number.POSITIVE_INFINITY,
    });
    expect(conditionSpan({ when: { age: bound('> 30000') } }, query, 50).from).toBe(30_950);
    expect(conditionSpan({ when: { age: bound('> 30000'), ageShare: bound('> 0.5') } }, query, 0).from).toBe(1_801_000);
    expect(conditionSpan({ when: { remaining: bound('> 60000') } }, query, 0).to).toBe(3_541_000);
  });

  it.each<[Conditions, boolean]>([
    [{ query: globs('ring_*') }, false],
    [{ query: globs('ring_*'), graph: globs('vault') }, true],
    [{ grantedTimeout: bound('> 600000') }, false],
    [{ grantedTimeout: bound('> 3600000') }, true],
    [{ query: globs('ring_*'), age: bound('< 50000') }, true],
  ])('except queries permanently, or up to an age: %j', (unless, isIt) => {
    expect(matchesStaticConditions({ when: {}, unless }, query)).toBe(isIt);
  });

  it('except a query without a timeout from a condition on its timeout', () => {
    const unless = { grantedTimeout: bound('> 3600000') };
    expect(matchesStaticConditions({ when: {}, unless }, untimed)).toBe(false);
  });

  it('except queries until they are older than an exception', () => {
    const when = { age: bound('> 30000') };
    expect(conditionSpan({ when, unless: { age: bound('< 50000') } }, query, 0).from).toBe(51_000);
    const other = { query: globs('other'), age: bound('< 50000') };
    expect(conditionSpan({ when, unless: other }, query, 0).from).toBe(31_000);
  });

  it('exclude protected queries and queries that are not installed', () => {
    const protect = [{ query: globs('ring_*'), node: globs('n2') }, { graph: globs('vault') }];
    const settings = settingsOf([], { protect });
    expect(isProtectedQuery(settings, query)).toBe(false);
    expect(isProtectedQuery(settings, queryOf({ node: 'n2' }))).toBe(true);
    expect(isProtectedQuery(settings, queryOf({ graph: 'vault' }))).toBe(true);
    expect(isProtectedQuery(settings, queryOf({ isInstalled: false }))).toBe(true);
  });
});

describe('observations', () => {
  const lists = [0, 4000, 4500, 8000, 9000].map((at) => listOf(at));

  it.each([
    [2, 5000, 4520],
    [3, 4000, 8020],
    [2, 6000, 8020],
    [3, 5000, 9020],
    [4, 5000, undefined],
  ])('%d that are %d ms apart, less a tenth', (observations, apart, at) => {
    expect(confirmedAt(lists, { observations: observations, apart })).toBe(at);
  });

  it('are the valid lists of its node that contain it', () => {
    const others = [
      listOf(1, { isGood: false }),
      listOf(2, { node: 'n2' }),
      listOf(3, { listed: new Set([1]) }),
      listOf(4, { receivedAt: undefined }),
    ];
    const trial = recordedRunOf({ lists: [...others, ...lists] });
    expect(observationsOf(trial, query, 4000, 8500).map(({ startedAt }) => startedAt)).toEqual([4000, 4500, 8000]);
  });
});

describe('a group', () => {
  const members = [0, 1, 2].map((number) =>
    queryOf({ number, node: number === 2 ? 'n2' : 'n1', beganAt: 1000 + number, endedAt: 60_000 }),
  );
  const trial = recordedRunOf({ queries: members });
  const at = { at: 40_000, listMemory: 0, slack: 0 };

  it.each([
    [['graph', 'query'], 3, true],
    [['node', 'query'], 3, false],
    [['node', 'query'], 2, true],
  ] as const)('with equal %j: %d queries', (by, count, isSo) => {
    const group = { by, count: bound(`>= ${count}`) };
    expect(meetsGroupCondition(trial, { policy, group, query }, at)).toBe(isSo);
  });

  it('counts queries that run or ended recently and are old enough', () => {
    const group = { by: ['graph'], count: bound('>= 3') } as const;
    expect(meetsGroupCondition(trial, { policy, group, query }, { ...at, at: 60_000 })).toBe(false);
    expect(meetsGroupCondition(trial, { policy, group, query }, { ...at, at: 60_000, listMemory: 1 })).toBe(true);
    expect(meetsGroupCondition(trial, { policy, group, query }, { ...at, at: 31_001 })).toBe(false);
    expect(meetsGroupCondition(trial, { policy, group: { ...group, oldest: bound('> 40000') }, query }, at)).toBe(
      false,
    );
  });

  it('counts only queries on covered nodes', () => {
    const group = { by: ['graph'], count: bound('>= 3') } as const;
    expect(meetsGroupCondition(trial, { policy, group, query }, { ...at, counts: isOnFirst })).toBe(false);
    expect(
      meetsGroupCondition(
        trial,
        { policy, group: { ...group, count: bound('>= 2') }, query },
        { ...at, counts: isOnFirst },
      ),
    ).toBe(true);
  });

  it('has no young query among the observed ones', () => {
    const group = { by: ['graph'], youngest: bound('> 38998') } as const;
    expect(meetsGroupCondition(trial, { policy, group, query }, at)).toBe(false);
    expect(meetsGroupCondition(trial, { policy, group: { ...group, youngest: bound('>= 38998') }, query }, at)).toBe(
      true,
    );
    expect(meetsGroupCondition(trial, { policy, group, query }, { ...at, listMemory: 38_999 })).toBe(true);
  });

  it('may be aborted instead', () => {
    const [first = query] = members;
    expect(countCompetingQueries(trial, policy, { query: first, at: 40_000 })).toBe(1);
    expect(countCompetingQueries(trial, { ...policy, group: { by: ['graph'] } }, { query: first, at: 40_000 })).toBe(2);
  });
});

describe('a process', () => {
  it('has no state from before its start or a clock step', () => {
    const trial = recordedRunOf({ downtimes: [{ from: 10, to: 20 }], steps: [{ at: 30, by: 1 }] }, { startsAt: 5 });
    expect([7, 19, 20, 29, 30].map((at) => processStartAt(trial, at))).toEqual([5, 5, 20, 20, 20]);
    expect([7, 20, 30].map((at) => stateKnownSince(trial, at))).toEqual([5, 20, 30]);
  });

  it('is paused by the latest command', () => {
    const pauses = [
      { at: 10, isPaused: true },
      { at: 20, isPaused: false },
    ];
    const { log } = recordedRunOf({ pauses, unexpectedReplies: [{ at: 30 }] });
    expect([10, 11, 21, 31].map((at) => isPausedAt(log, at))).toEqual([false, true, false, true]);
  });
});
