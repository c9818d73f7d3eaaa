import { describe, expect, it } from 'vitest';
import type { Candidate } from '../../src/guard/candidate.ts';
import { createMatcher, type MatchInput } from '../../src/guard/matcher.ts';
import type { GateClause, GuardSettings, Mode, Policy } from '../../src/guard/policy.ts';
import { bound, candidate, globs, matchInputOf, policyOf } from './match-inputs.ts';
import { at, epoch } from './observations.ts';

type Settings = Pick<GuardSettings, 'mode' | 'protect' | 'policies'>;
type SceneChanges = Parameters<typeof matchInputOf>[1];

function settingsOf(policies: readonly Policy[], changes: Partial<Settings> = {}): Settings {
  return { mode: 'enforce', protect: [], policies, ...changes };
}

function matched(settings: Settings, candidates: readonly Candidate[], changes: SceneChanges = {}) {
  return createMatcher(settings, 'prod')(matchInputOf(candidates, changes));
}

function limited(name: string, mode: Mode, seconds: number): Policy {
  return policyOf({ age: bound(`> ${seconds * 1000}`) }, { name, mode });
}

/** Open from `time` (minutes) to 15:00. Scenes are at 14:13:20 UTC on a Monday. */
function openFrom(time: number, days: readonly number[] = [1]): Policy {
  return policyOf(undefined, { active: { days, from: time, to: 900, zone: 'UTC' } });
}

/** Gates that are open, such as `n1 queue_depth`, since when. */
function pressed(times: Readonly<Record<string, number>>): Partial<MatchInput> {
  return {
    gateSince: (node, { source }) => {
      const time = times[`${node} ${source}`];
      return time === undefined ? undefined : at(time).mono;
    },
  };
}

/** `since` of the only policy for the only candidate, as time after the list; undefined where it does not match. */
function since(policy: Policy, changes: SceneChanges = {}, one = candidate()): number | undefined {
  const { matches } = matched(settingsOf([policy]), [one], changes);
  return matches[0] && matches[0].since - at(0).mono;
}

function upcoming(policy: Policy, changes: SceneChanges = {}, one = candidate()): number | undefined {
  const found = matched(settingsOf([policy]), [one], changes).upcoming;
  return found[0] && found[0].since - at(0).mono;
}

describe('match', () => {
  it('holds since the last of its clauses began to hold', () => {
    expect(since(policyOf({ age: bound('> 60000') }))).toBe(-60_000);
    expect(since(policyOf({ age: bound('> 60000'), remaining: bound('< 3500000') }))).toBe(-20_000);
    expect(since(policyOf({ age: bound('> 60000'), ageShare: bound('>= 0.03') }))).toBe(-12_000);
    expect(since(policyOf({ age: bound('> 60000'), graph: globs('fraud') }))).toBe(-60_000);
  });

  it('holds since the start of the query if no clause depends on time', () => {
    expect(since(policyOf({ graph: globs('fraud') }), {}, candidate({ age: { least: 100, most: 130 } }))).toBe(-130);
  });

  it('does not exist before all clauses hold, or after one ends', () => {
    const policy = policyOf({ age: bound('> 130000'), remaining: bound('> 3460000') });
    const found = [10_000, 10_001, 19_999, 20_000].map((after) => since(policy, { after }));
    expect(found).toEqual([undefined, 10_000, 10_000, undefined]);
  });

  it('has its policy and its mode', () => {
    const [policy, one] = [policyOf(), candidate()];
    expect(matched(settingsOf([policy]), [one]).matches).toEqual([
      {
        candidate: one,
        policy,
        mode: 'enforce',
        group: 'runaway\0n1',
        since: at(-60_000).mono,
        holds: true,
        owns: true,
      },
    ]);
  });
});

describe('query that never matches', () => {
  const all = settingsOf([policyOf({ age: bound('>= 0') })]);

  it.each(['/sleepgpe', '/gsqlserver/interpreted_query', '/query/fraud/ring_scan/more', '/builtins/fraud', '/x'])(
    'is %s, which is not an installed query',
    (url) => {
      expect(matched(all, [candidate({ url })])).toMatchObject({ matches: [], upcoming: [] });
    },
  );

  it('is protected in any mode', () => {
    const protect = [{ graph: globs('*'), query: globs('nightly_*') }];
    const [ordinary, nightly] = [candidate(), candidate({ url: '/query/fraud/nightly_scan' })];
    const { matches } = matched({ ...all, protect }, [nightly, ordinary]);
    expect(matches.map((match) => match.candidate)).toEqual([ordinary]);
    expect(matched({ ...all, protect }, [nightly]).upcoming).toEqual([]);
  });

  it('runs in another cluster', () => {
    const here = policyOf(undefined, { clusters: ['test', 'prod'] });
    const there = policyOf(undefined, { clusters: ['test'] });
    expect(since(here)).toBe(-60_000);
    expect(since(there)).toBeUndefined();
    expect(since(policyOf(undefined, { clusters: [] }))).toBeUndefined();
  });
});

describe('owner of a query', () => {
  const ownersOf = (policies: readonly Policy[], mode: Mode = 'enforce') =>
    matched(settingsOf(policies, { mode }), [candidate()]).matches.map((match) => [
      match.policy.name,
      match.mode,
      match.owns,
    ]);

  it('is the first policy that matches', () => {
    const policies = [
      limited('late', 'enforce', 300),
      limited('first', 'enforce', 60),
      limited('second', 'enforce', 30),
    ];
    expect(ownersOf(policies)).toEqual([
      ['first', 'enforce', true],
      ['second', 'enforce', false],
    ]);
  });

  it('is an enforcing policy before an observing one', () => {
    const policies = [limited('looks', 'observe', 1), limited('late', 'enforce', 300), limited('acts', 'enforce', 60)];
    expect(ownersOf(policies)).toEqual([
      ['acts', 'enforce', true],
      ['looks', 'observe', false],
    ]);
  });

  it('is an observing policy if no enforcing policy matches', () => {
    const policies = [limited('late', 'enforce', 300), limited('looks', 'observe', 60), limited('too', 'observe', 1)];
    expect(ownersOf(policies)).toEqual([
      ['looks', 'observe', true],
      ['too', 'observe', false],
    ]);
  });

  it('is the first policy if the guard observes, in any mode of the policies', () => {
    expect(ownersOf([limited('one', 'observe', 60), limited('other', 'enforce', 30)], 'observe')).toEqual([
      ['one', 'observe', true],
      ['other', 'observe', false],
    ]);
  });

  it('is separate for each query', () => {
    const [young, old] = [candidate({ age: 40_000 }), candidate()];
    const policies = [limited('first', 'enforce', 60), limited('second', 'enforce', 30)];
    const { matches } = matched(settingsOf(policies), [young, old]);
    const owners = new Map(matches.filter(({ owns }) => owns).map((match) => [match.candidate, match.policy.name]));
    expect([owners.get(young), owners.get(old)]).toEqual(['second', 'first']);
  });
});

describe('gate in a match', () => {
  const memory: GateClause = { source: 'node_memory', bound: bound('> 0.85'), for: 180_000 };
  const queue: GateClause = { source: 'queue_depth', bound: bound('> 20'), for: 60_000 };
  const gated = (needs: 'any' | 'all') => policyOf(undefined, { gate: { needs, clauses: [memory, queue] } });

  it.each<[string, Record<string, number>, number | undefined, number | undefined]>([
    ['nothing', {}, undefined, undefined],
    ['one clause', { 'n1 queue_depth': -7 }, -7, undefined],
    ['the other clause', { 'n1 node_memory': -9 }, -9, undefined],
    ['both', { 'n1 node_memory': -9, 'n1 queue_depth': -7 }, -9, -7],
    ['both clauses, later', { 'n1 node_memory': -90_000, 'n1 queue_depth': -80_000 }, -60_000, -60_000],
    ['another node', { 'n2 node_memory': -9, 'n2 queue_depth': -7 }, undefined, undefined],
  ])('with the pressure of %s', (_, pressure, any, all) => {
    expect(since(gated('any'), pressed(pressure))).toBe(any);
    expect(since(gated('all'), pressed(pressure))).toBe(all);
  });

  it('is evaluated once per node, for any number of queries', () => {
    const evaluated: string[] = [];
    const gateSince = (node: string, { source }: GateClause) => {
      evaluated.push(`${node} ${source}`);
      return undefined;
    };
    matched(settingsOf([gated('any')]), [candidate(), candidate(), candidate({ node: 'n2' })], { gateSince });
    expect(evaluated).toEqual(['n1 node_memory', 'n1 queue_depth', 'n2 node_memory', 'n2 queue_depth']);
  });

  it('that is closed prevents upcoming matches', () => {
    expect(
      upcoming(policyOf({ age: bound('> 200000') }, { gate: { needs: 'any', clauses: [memory] } })),
    ).toBeUndefined();
  });
});

describe('active hours in a match', () => {
  it('counts from its opening', () => {
    expect(new Date(epoch).toISOString()).toBe('2026-09-21T14:13:20.000Z');
    expect(since(openFrom(840))).toBe(-60_000);
    expect(since(openFrom(853))).toBe(-20_000);
    expect(since(openFrom(854))).toBeUndefined();
    expect(since(openFrom(0, [2]))).toBeUndefined();
  });

  it('is predicted', () => {
    expect(upcoming(openFrom(854))).toBe(40_000);
    expect(upcoming(openFrom(899))).toBe(2_740_000);
    expect(upcoming(openFrom(840))).toBeUndefined();
  });

  it('that closes before the match prevents it', () => {
    const late = policyOf({ age: bound('> 2920000') }, { active: { days: [1], from: 0, to: 900, zone: 'UTC' } });
    expect(upcoming(late)).toBeUndefined();
    expect(upcoming({ ...late, when: { age: bound('> 2919999') } })).toBe(2_799_999);
  });
});

describe('group condition in a match', () => {
  const policy = policyOf(undefined, { group: { by: ['node'], count: bound('>= 2') } });
  const settings = settingsOf([policy]);

  it('requires its group, and counts from the list that shows it', () => {
    expect(matched(settings, [candidate()]).matches).toEqual([]);
    const { matches, groups } = matched(settings, [candidate(), candidate()]);
    expect(matches.map((match) => match.since)).toEqual([at(0).mono, at(0).mono]);
    expect([...groups]).toEqual([['runaway\0n1', at(0).mono]]);
  });

  it('continues from input to input', () => {
    const { groups } = matched(settings, [candidate(), candidate()]);
    const again = [candidate({ seen: 5000 }), candidate({ seen: 5000 })];
    const { matches } = matched(settings, again, { after: 5000, listedAt: at(5000).mono, groups });
    expect(matches[0]?.since).toBe(at(0).mono);
    const { groups: none } = matched(settings, again.slice(1), { after: 5000, listedAt: at(5000).mono, groups });
    expect(none.size).toBe(0);
  });

  it('does not count queries that are protected, not installed or excluded by the conditions', () => {
    const protect = [{ query: globs('nightly_*') }];
    const others = [
      candidate({ url: '/query/fraud/nightly_scan' }),
      candidate({ url: '/sleepgpe' }),
      candidate({ age: 60_000 }),
      candidate({ node: 'n2' }),
    ];
    expect(matched({ ...settings, protect }, [candidate(), ...others])).toMatchObject({ matches: [], upcoming: [] });
  });

  it('is counted at the time of the list, not now', () => {
    const both = [candidate(), candidate({ age: 59_000 })];
    expect(matched(settings, both, { after: 2000 }).matches).toEqual([]);
    expect(matched(settings, both, { after: 2000, listedAt: at(2000).mono }).matches).toHaveLength(2);
  });

  it('is joined by queries that become old enough', () => {
    const crowd = [candidate(), candidate(), candidate({ age: 59_000 })];
    expect(matched(settings, crowd).upcoming).toMatchObject([{ candidate: crowd[2], since: at(1000).mono }]);
    expect(matched(settings, crowd, { after: 1001 }).matches[2]?.since).toBe(at(1000).mono);
  });

  it('is kept outside the active hours', () => {
    const closed = { ...policy, active: { days: [2], from: 0, to: 1440, zone: 'UTC' } };
    const { matches, groups } = matched(settingsOf([closed]), [candidate(), candidate()]);
    expect([matches.length, groups.size]).toEqual([0, 1]);
  });
});

describe('upcoming match', () => {
  it.each<[string, Policy['when'], number | undefined]>([
    ['gets old enough', { age: bound('>= 125000') }, 5000],
    ['is about to match', { age: bound('> 120000') }, 0],
    ['reaches its timeout too early', { remaining: bound('<= 3000000') }, 480_000],
    ['exceeds its share', { ageShare: bound('> 0.5') }, 1_680_000],
    ['matches already', { age: bound('> 1') }, undefined],
    ['is too late', { age: bound('> 130000'), remaining: bound('> 3470000') }, undefined],
    ['is just in time', { age: bound('> 130000'), remaining: bound('> 3469999') }, 10_000],
    ['never matches', { age: bound('< 120000') }, undefined],
    ['is in another graph', { age: bound('> 130000'), graph: globs('x') }, undefined],
  ])('of a query that %s', (_, when, expected) => {
    expect(upcoming(policyOf(when))).toBe(expected);
  });

  it('is reported for each policy, including queries that another policy owns', () => {
    const later = policyOf({ age: bound('> 150000') }, { name: 'later', mode: 'observe' });
    const found = matched(settingsOf([later, policyOf()]), [candidate()]);
    const expected = { policy: later, mode: 'observe', since: at(30_000).mono, holds: false, owns: false };
    expect(found.upcoming).toMatchObject([expected]);
    expect(found.matches).toMatchObject([{ holds: true, owns: true }]);
  });
});
