import { describe, expect, it } from 'vitest';
import { pickVictims } from '../../../src/guard/decision/victim-selection.ts';
import type { Match } from '../../../src/guard/matcher.ts';
import type { Policy } from '../../../src/guard/policy.ts';
import { type CandidateOptions, candidate, policyOf } from '../match-inputs.ts';

function matchOf(run: CandidateOptions, policy: Policy = policyOf(), changes: Partial<Match> = {}): Match {
  const one = candidate(run);
  return {
    candidate: one,
    policy,
    mode: 'enforce',
    group: `${policy.name} ${one.node}`,
    since: 0,
    holds: true,
    owns: true,
    ...changes,
  };
}

function taking(pick: 'oldest' | 'newest', max: number): Policy {
  return policyOf(undefined, { victims: { pick, max } });
}

const none = () => false;

describe('victims', () => {
  const ages = [3, 1, 4, 2].map((minutes) => minutes * 60_000);

  it.each([
    ['oldest', 1, [4]],
    ['oldest', 3, [4, 3, 2]],
    ['newest', 1, [1]],
    ['newest', 2, [1, 2]],
    ['oldest', 9, [4, 3, 2, 1]],
  ] as const)('are the %s %i', (pick, max, expected) => {
    const matches = ages.map((age) => matchOf({ age }, taking(pick, max)));
    const taken = pickVictims(matches, none).map((match) => match.candidate.age.least / 60_000);
    expect(taken).toEqual(expected);
  });

  it('are compared by age at one time, even if they were listed at different times', () => {
    const early = matchOf({ age: 100_000, seen: 0 });
    const late = matchOf({ age: 103_000, seen: 5000 });
    expect(pickVictims([late, early], none)).toEqual([early]);
  });

  it('are selected per group', () => {
    const [one, other] = [matchOf({ node: 'n1' }), matchOf({ node: 'n2' })];
    expect(pickVictims([one, other, matchOf({ age: 70_000 })], none)).toEqual([one, other]);
  });

  it('are queries that the policy owns', () => {
    const owned = matchOf({ age: 70_000 });
    expect(pickVictims([matchOf({}, policyOf(), { owns: false }), owned], none)).toEqual([owned]);
  });

  it('are fewer while decisions are in progress', () => {
    const matches = ages.map((age) => matchOf({ age }, taking('oldest', 2)));
    const [three, one, four, two] = matches;
    expect(pickVictims(matches, (match) => match === one)).toEqual([one, four]);
    expect(pickVictims(matches, (match) => match === four)).toEqual([four, three]);
    expect(pickVictims(matches, (match) => match === one || match === two)).toEqual([one, two]);
    expect(pickVictims(matches, (match) => match !== three)).toEqual([one, four, two]);
  });

  it('are the next candidates if the first ones may not begin', () => {
    const matches = ages.map((age) => matchOf({ age }, taking('oldest', 2)));
    const [three, one, four, two] = matches;
    const evaluated: unknown[] = [];
    const mayBegin = (match: Match) => {
      evaluated.push(match);
      return match !== four;
    };
    expect(pickVictims(matches, none, mayBegin)).toEqual([three, two]);
    expect(evaluated).toEqual([four, three, two]);
    expect(pickVictims(matches, (match) => match === one || match === two, mayBegin)).toEqual([one, two]);
    expect(evaluated).toHaveLength(3);
  });

  it('of equal age do not depend on the order', () => {
    const matches = [1, 2, 3, 4].map((number) => matchOf({ node: `n${number}` }, policyOf(), { group: 'all' }));
    expect(pickVictims(matches, none)).toEqual(pickVictims(matches.toReversed(), none));
    expect(pickVictims(matches, none)).toEqual([matches[0]]);
  });

  it('are empty without a match', () => {
    expect(pickVictims([], none)).toEqual([]);
  });
});
