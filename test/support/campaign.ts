import { it } from 'vitest';

/** Sizes of a test, such as the runs of a randomized one or its clusters: the number in `npm test`, and in `npm run test:campaign`. */
export interface Runs {
  readonly short: number;
  readonly campaign: number;
}

/** Returns the number for this run. Each test file that calls this is part of the campaign. */
export function numberOfRuns({ short, campaign }: Runs): number {
  return isCampaign() ? campaign : short;
}

/** Returns the cases for this run: those of the short form in `npm test`, and all others in the campaign. */
export function casesOfRun<Case>(
  cases: readonly Case[],
  isShort: (one: Case, index: number) => boolean,
): readonly Case[] {
  return cases.filter((one, index) => isShort(one, index) !== isCampaign());
}

/** Whether this run is the campaign. */
export function isCampaign(): boolean {
  return process.env.TEST_CAMPAIGN === 'true';
}

/** Test without a long form: the campaign leaves it out, although it runs other tests of the file. */
export const itInShortForm = it.skipIf(isCampaign());

/** Further test of a kind of which `npm test` has another one: it runs in the campaign only. */
export const itInCampaign = it.runIf(isCampaign());
