/** Sizes of a test, such as the runs of a randomized one or its clusters: the number in `npm test`, and in `npm run test:campaign`. */
export interface Runs {
  readonly short: number;
  readonly campaign: number;
}

/** Returns the number for this run. Each test file that calls this is part of the campaign. */
export function numberOfRuns({ short, campaign }: Runs): number {
  return process.env.TEST_CAMPAIGN === 'true' ? campaign : short;
}
