import { expect, it } from 'vitest';
import { pauseReasons } from '../../../src/api/guard.ts';
import { pauseReasonTexts } from '../../../src/app/guard/guard-control.ts';

it('has words of its own for each reason', () => {
  const reported = pauseReasons.map((reason) => pauseReasonTexts[reason]);
  expect(new Set(reported).size).toBe(pauseReasons.length);
  for (const words of reported) expect(words).toMatch(/^(?:an?|the) .+[^.]$/);
});
