import { expect, it } from 'vitest';
import { findingKinds } from '../../../campaigns/crash/evidence.ts';
import { hasNoFindings, isSignificant, summarize, summaryLines } from '../../../campaigns/crash/report.ts';
import type { ScenarioResult } from '../../../campaigns/crash/scenario.ts';
import { evidenceOf } from './evidence-builders.ts';

const deliveries = {
  receiver: 'chat',
  findings: [],
  delivered: 5,
  inFlight: 2,
  unansweredAtKill: 1,
  slowestStoring: 12,
  duplicates: 1,
  unanswered: 3,
  reloaded: 0,
  digestLines: 1,
  runsWithDelivery: new Set([0]),
};
const setup: ScenarioResult = {
  seed: 1,
  findings: [],
  deliveries: [deliveries, deliveries],
  spans: 7,
  missedReplies: 1,
  runs: [
    { moment: 'send', delivered: true },
    { moment: 'time', delivered: false },
  ],
  evidence: evidenceOf(),
};

it('crash report › adds up the results', () => {
  const tally = summarize([setup, setup]);
  expect(tally).toMatchObject({ kills: 4, runsWithDelivery: 2, delivered: 20, inFlight: 8, duplicates: 4 });
  expect(tally.killsByMoment).toEqual({ time: 2, write: 0, send: 2, acknowledge: 0 });
  expect(tally.deliveredTo).toEqual({ chat: 20 });
  expect(hasNoFindings(tally) && isSignificant(tally)).toBe(true);
  expect(summaryLines(tally)).toContain('in flight at a kill: 8, 4 of them without a response');
  expect(summaryLines(tally)).toContain('duplicates because of a kill: 4, at most 12 ms after the response');
});

it.each(findingKinds)('crash report › is not good with a finding of the kind %s', (kind) => {
  const tally = summarize([setup, { ...setup, findings: [{ kind, about: 'x' }] }]);
  expect(hasNoFindings(tally)).toBe(false);
  expect(summaryLines(tally)).toContain(`${kind}: 1`);
});

it('crash report › fails if there are more duplicates than deliveries in flight, and is not significant with few deliveries', () => {
  expect(hasNoFindings(summarize([{ ...setup, deliveries: [{ ...deliveries, duplicates: 3 }] }]))).toBe(false);
  const idle = setup.runs.map((life) => ({ ...life, delivered: false }));
  expect(isSignificant(summarize([{ ...setup, runs: idle }]))).toBe(false);
});
