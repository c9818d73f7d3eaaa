import { expect, it } from 'vitest';
import type { CrashRunResult } from '../../../../campaigns/crash/guard/crash-run.ts';
import { findingKinds } from '../../../../campaigns/crash/guard/evidence.ts';
import { hasNoFindings, isSignificant, summarize, summaryLines } from '../../../../campaigns/crash/guard/report.ts';
import { abortRequest, auditRow, evidenceOf } from './logs.ts';

const setup: CrashRunResult = {
  seed: 1,
  findings: [],
  opportunities: [
    { couldAbort: true, requests: 2 },
    { couldAbort: true, requests: 0 },
    { couldAbort: false, requests: 0 },
  ],
  runs: [
    { moment: 'send', hasCome: true },
    { moment: 'write', hasCome: false },
  ],
  delayed: 4,
  minDelay: 7,
  unanswered: 1,
  evidence: evidenceOf({
    calls: [abortRequest('a', 0), abortRequest('b', 10)],
    rows: [
      auditRow('a', 0, 'vanished'),
      auditRow('b', 0, 'confirmed'),
      auditRow('c', 0, 'vanished'),
      auditRow('d', 0, 'withdrawn'),
    ],
  }),
};

it('guard crash report › adds up the results', () => {
  const tally = summarize([setup, { ...setup, minDelay: 5 }]);
  expect(tally).toMatchObject({
    kills: 4,
    missed: 2,
    runsWithOpportunity: 4,
    runsWithAbort: 2,
    requests: 4,
    unanswered: 2,
    delayed: 8,
  });
  expect(tally).toMatchObject({ intents: 8, interrupted: 2, minDelay: 5, findings: {} });
  expect(tally.outcomes).toEqual({ confirmed: 2, vanished: 4, withdrawn: 2 });
  expect(hasNoFindings(tally) && isSignificant(tally)).toBe(true);
  expect(summaryLines(tally)).toContain('intents: 8, 2 of them without a request because of the kill');
  expect(summaryLines(tally)).toContain('outcomes: confirmed 2, vanished 4, withdrawn 2');
});

it.each(findingKinds)('guard crash report › is not good with a finding: %s', (kind) => {
  const tally = summarize([setup, { ...setup, findings: [{ kind, about: 'x' }] }]);
  expect(hasNoFindings(tally)).toBe(false);
  expect(summaryLines(tally)).toContain(`${kind}: 1`);
});

it('guard crash report › is not significant with few aborts', () => {
  const idle = setup.opportunities.map((one) => ({ ...one, requests: 0 }));
  expect(isSignificant(summarize([{ ...setup, opportunities: idle }]))).toBe(false);
  expect(isSignificant(summarize([setup, { ...setup, opportunities: idle }]))).toBe(false);
});
