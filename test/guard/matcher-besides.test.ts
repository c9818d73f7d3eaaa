import { describe, expect, it } from 'vitest';
import type { Candidate } from '../../src/guard/candidate.ts';
import { createMatcher, type Scene } from '../../src/guard/matcher.ts';
import type { GroupCondition, Policy } from '../../src/guard/policy.ts';
import { bound, candidate, policyOf, sceneOf } from './scenes.ts';

function matched(policy: Policy, candidates: readonly Candidate[], changes: Partial<Scene> = {}) {
  const settings = { mode: 'enforce', protect: [], policies: [policy] } as const;
  return createMatcher(settings, 'prod')(sceneOf(candidates, changes));
}

function isOnFirst({ node }: Candidate): boolean {
  return node === 'n1';
}

describe('a query beside those that match', () => {
  it('is none where it lacks the company that others have', () => {
    const pairs = policyOf(undefined, { group: { by: ['node'], count: bound('>= 2') } });
    const [one, other, alone] = [candidate(), candidate(), candidate({ node: 'n2' })];
    const { matches, upcoming } = matched(pairs, [one, alone, other]);
    expect([matches.map((match) => match.candidate), upcoming]).toEqual([[one, other], []]);
  });

  it('is none, nor will be, where the server does not tell what is asked for', () => {
    const late = policyOf({ remaining: bound('< 60000') });
    const untold = candidate({ timeout: -1 });
    expect(matched(late, [untold])).toMatchObject({ matches: [], upcoming: [] });
    expect(matched(late, [untold, candidate()]).upcoming).toHaveLength(1);
  });
});

describe('a group over nodes', () => {
  const some = [candidate(), candidate({ node: 'n2' })];

  function seen(more: Partial<GroupCondition>, changes: Partial<Scene> = {}): number {
    return matched(policyOf(undefined, { group: { by: ['graph'], ...more } }), some, changes).matches.length;
  }

  it('is of those that count, and asks for all nodes where somebody unseen could be too young', () => {
    const pair = { count: bound('>= 2') };
    expect([seen(pair), seen(pair, { counts: isOnFirst }), seen(pair, { isWhole: false })]).toEqual([2, 0, 2]);
    const grown = { youngest: bound('> 1000') };
    expect([seen(grown), seen(grown, { counts: isOnFirst }), seen(grown, { isWhole: false })]).toEqual([2, 2, 0]);
  });
});
