import { describe, expect, it } from 'vitest';
import type { Candidate } from '../../src/guard/candidate.ts';
import { createMatcher } from '../../src/guard/matcher.ts';
import type { Policy } from '../../src/guard/policy.ts';
import { bound, candidate, policyOf, sceneOf } from './scenes.ts';

function matched(policy: Policy, candidates: readonly Candidate[]) {
  const settings = { mode: 'enforce', protect: [], policies: [policy] } as const;
  return createMatcher(settings, 'prod')(sceneOf(candidates));
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
