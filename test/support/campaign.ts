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

function isCampaign(): boolean {
  return process.env.TEST_CAMPAIGN === 'true';
}
