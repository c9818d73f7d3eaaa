import { it } from 'vitest';

/** Number of runs or clusters of a test: `short` in `npm test`, `campaign` in `npm run test:campaign`. */
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

/** Test without a long form: the campaign skips it but runs other tests of the file. */
export const itInShortForm = it.skipIf(isCampaign());

/** Test that runs in the campaign only, because `npm test` runs a similar one. */
export const itInCampaign = it.runIf(isCampaign());
