import { describe, expect, it } from 'vitest';
import type { Candidate } from '../../src/guard/candidate.ts';
import { createMatcher, type MatchInput } from '../../src/guard/matcher.ts';
import type { GroupCondition, Policy } from '../../src/guard/policy.ts';
import { bound, candidate, matchInputOf, policyOf } from './match-inputs.ts';

function matched(policy: Policy, candidates: readonly Candidate[], changes: Partial<MatchInput> = {}) {
  const settings = { mode: 'enforce', protect: [], policies: [policy] } as const;
  return createMatcher(settings, 'prod')(matchInputOf(candidates, changes));
}

function isOnFirst({ node }: Candidate): boolean {
  return node === 'n1';
}

describe('near miss', () => {
  it('does not exist for a query whose group condition is not met', () => {
    const pairs = policyOf(undefined, { group: { by: ['node'], count: bound('>= 2') } });
    const [one, other, alone] = [candidate(), candidate(), candidate({ node: 'n2' })];
    const { matches, upcoming } = matched(pairs, [one, alone, other]);
    expect([matches.map((match) => match.candidate), upcoming]).toEqual([[one, other], []]);
  });

  it('does not match, now or later, if the server does not report a field of the condition', () => {
    const late = policyOf({ remaining: bound('< 60000') });
    const withoutTimeout = candidate({ timeout: -1 });
    expect(matched(late, [withoutTimeout])).toMatchObject({ matches: [], upcoming: [] });
    expect(matched(late, [withoutTimeout, candidate()]).upcoming).toHaveLength(1);
  });
});

describe('group across nodes', () => {
  const some = [candidate(), candidate({ node: 'n2' })];

  function seen(more: Partial<GroupCondition>, changes: Partial<MatchInput> = {}): number {
    return matched(policyOf(undefined, { group: { by: ['graph'], ...more } }), some, changes).matches.length;
  }

  it('counts matching queries only, and needs the lists of all nodes if an unseen query could be too young', () => {
    const pair = { count: bound('>= 2') };
    expect([seen(pair), seen(pair, { countsInGroups: isOnFirst }), seen(pair, { isComplete: false })]).toEqual([
      2, 0, 2,
    ]);
    const grown = { youngest: bound('> 1000') };
    expect([seen(grown), seen(grown, { countsInGroups: isOnFirst }), seen(grown, { isComplete: false })]).toEqual([
      2, 2, 0,
    ]);
  });
});
