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

describe('the victims', () => {
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

  it('are chosen by their age at one time, though they were seen at others', () => {
    const early = matchOf({ age: 100_000, seen: 0 });
    const late = matchOf({ age: 103_000, seen: 5000 });
    expect(pickVictims([late, early], none)).toEqual([early]);
  });

  it('are chosen of each group', () => {
    const [one, other] = [matchOf({ node: 'n1' }), matchOf({ node: 'n2' })];
    expect(pickVictims([one, other, matchOf({ age: 70_000 })], none)).toEqual([one, other]);
  });

  it('are among those whom the policy owns alone', () => {
    const owned = matchOf({ age: 70_000 });
    expect(pickVictims([matchOf({}, policyOf(), { owns: false }), owned], none)).toEqual([owned]);
  });

  it('leave less room as long as decisions are under way', () => {
    const matches = ages.map((age) => matchOf({ age }, taking('oldest', 2)));
    const [three, one, four, two] = matches;
    expect(pickVictims(matches, (match) => match === one)).toEqual([one, four]);
    expect(pickVictims(matches, (match) => match === four)).toEqual([four, three]);
    expect(pickVictims(matches, (match) => match === one || match === two)).toEqual([one, two]);
    expect(pickVictims(matches, (match) => match !== three)).toEqual([one, four, two]);
  });

  it('are the next best where some may not begin, who are asked only while there is room', () => {
    const matches = ages.map((age) => matchOf({ age }, taking('oldest', 2)));
    const [three, one, four, two] = matches;
    const asked: unknown[] = [];
    const mayBegin = (match: Match) => {
      asked.push(match);
      return match !== four;
    };
    expect(pickVictims(matches, none, mayBegin)).toEqual([three, two]);
    expect(asked).toEqual([four, three, two]);
    expect(pickVictims(matches, (match) => match === one || match === two, mayBegin)).toEqual([one, two]);
    expect(asked).toHaveLength(3);
  });

  it('of one age are chosen in the same way in any order', () => {
    const matches = [1, 2, 3, 4].map((number) => matchOf({ node: `n${number}` }, policyOf(), { group: 'all' }));
    expect(pickVictims(matches, none)).toEqual(pickVictims(matches.toReversed(), none));
    expect(pickVictims(matches, none)).toEqual([matches[0]]);
  });

  it('are none where nothing matches', () => {
    expect(pickVictims([], none)).toEqual([]);
  });
});
