import { describe, expect, it } from 'vitest';
import { createMatcher, type Match, type MatchResult } from '../../src/guard/matcher.ts';
import type { Policy } from '../../src/guard/policy.ts';
import { numberOfRuns } from '../support/campaign.ts';
import { isMeantLater, type NaiveMatch, naiveMatches, type Question } from './naive-matcher.ts';
import { type RandomMatchInput, randomMatchInput } from './random-match-inputs.ts';

const listings = numberOfRuns({ short: 1200, campaign: 60_000 });
const hour = 3_600_000;
const probes = [1, 500, 30_000, 60_001, 1_000_000, hour];

/** The two say the same, but for the instant: a bound that has to be exceeded is so a millisecond after it is reached. */
function isSame(match: Match, naive: NaiveMatch | undefined): boolean {
  const { candidate, policy, mode, since, owns } = match;
  return (
    naive !== undefined &&
    naive.node === candidate.node &&
    naive.id === candidate.observation.id &&
    naive.policy === policy.name &&
    naive.mode === mode &&
    naive.owns === owns &&
    (naive.since === since || naive.since === since + 1 || (hasAlternatives(policy) && naive.since < since))
  );
}

/** Of several times in which a query is not exempt, the matcher counts the grace period from the latest at worst. */
function hasAlternatives({ unless = {} }: Policy): boolean {
  return [unless.age, unless.remaining, unless.ageShare].filter((one) => one !== undefined).length > 1;
}

function keyOf(node: string, id: string, policy: string): string {
  return `${node} ${id} ${policy}`;
}

/** The seed and what is wrong; undefined where both agree. */
function difference(seed: number, { settings, setup }: RandomMatchInput, { matches }: MatchResult): string | undefined {
  const naive = new Map(naiveMatches(settings, 'prod', setup).map((one) => [keyOf(one.node, one.id, one.policy), one]));
  const odd = matches.find(
    (match) =>
      !isSame(match, naive.get(keyOf(match.candidate.node, match.candidate.observation.id, match.policy.name))),
  );
  if (odd === undefined && naive.size === matches.length) return undefined;
  return `seed ${seed}: ${odd === undefined ? `${matches.length} of ${naive.size}` : JSON.stringify(odd)}`;
}

describe('matcher, compared with a naive implementation', () => {
  it(`has the same matches for ${listings} listings`, () => {
    const differences: string[] = [];
    let [matching, enforced, shielded, grouped] = [0, 0, 0, 0];
    for (let seed = 1; seed <= listings; seed += 1) {
      const random = randomMatchInput(seed);
      const matched = createMatcher(random.settings, 'prod')(random.setup);
      differences.push(...[difference(seed, random, matched)].filter((one) => one !== undefined));
      matching += matched.matches.length;
      enforced += matched.matches.filter(({ mode }) => mode === 'enforce').length;
      shielded += matched.matches.filter(({ owns }) => !owns).length;
      grouped += matched.matches.filter(({ policy }) => policy.group !== undefined).length;
    }
    expect(differences).toEqual([]);
    // Else the two would agree about nothing much.
    expect(matching).toBeGreaterThan(listings / 2);
    expect(Math.min(enforced, matching - enforced, shielded, grouped)).toBeGreaterThan(listings / 50);
  });

  it('has the same upcoming matches', () => {
    let foreseen = 0;
    for (let seed = 1; seed <= listings / 6; seed += 1) {
      const random = randomMatchInput(seed);
      const { matches, upcoming } = createMatcher(random.settings, 'prod')(random.setup);
      foreseen += upcoming.length;
      for (const prospect of upcoming) expectToCome({ seed, ...random }, prospect);
      for (const question of questionsOf(random)) {
        const isKnown = (one: Match) => one.candidate === question.candidate && one.policy === question.policy;
        const isForeseen = question.policy.active === undefined && !hasAlternatives(question.policy);
        if (!isForeseen || matches.some(isKnown)) continue;
        // A single millisecond between two bounds is no time in which a policy could act.
        const isToCome = probes.some((after) => [after - 1, after].every((time) => isMeantLater(question, time)));
        if (isToCome) expect(upcoming.some(isKnown), `seed ${seed}`).toBe(true);
      }
    }
    expect(foreseen).toBeGreaterThan(listings / 50);
  });
});

/** Expects the match at the predicted time or a millisecond later, and not before. Active windows look ahead one hour. */
function expectToCome(
  { seed, settings, setup }: RandomMatchInput & { readonly seed: number },
  { candidate, policy, since }: Match,
): void {
  const question: Question = { settings, cluster: 'prod', setup: setup, policy, candidate };
  const after = since - setup.now.mono;
  if (policy.active !== undefined && after > hour) return;
  const isMeant = [after - 1, after, after + 1].map((time) => time >= 0 && isMeantLater(question, time));
  expect(isMeant[0], `seed ${seed}`).toBe(false);
  expect(isMeant[1] || isMeant[2], `seed ${seed}`).toBe(true);
}

function questionsOf({ settings, setup }: RandomMatchInput): readonly Question[] {
  return setup.candidates.flatMap((candidate) =>
    settings.policies.map((policy) => ({ settings, cluster: 'prod', setup: setup, policy, candidate })),
  );
}
