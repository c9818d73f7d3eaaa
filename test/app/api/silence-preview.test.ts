import { expect, it } from 'vitest';
import { rules } from '../../../src/alert/rules/all.ts';
import { previewSilence, unknownLabelProblem } from '../../../src/app/api/silence-preview.ts';
import { matchersOf } from '../../support/matchers-of.ts';

const context = { rules, settings: { clusters: [], alerts: { rules: {} } }, alerts: [], missing: [] };

it('silence preview › previews a silence without matching alerts', () => {
  expect(previewSilence(matchersOf('node="m1"'), context)).toEqual({ matchedAlerts: 0, alerts: [], warnings: [] });
});

it('silence preview › reports the first matcher on an unknown label', () => {
  expect(unknownLabelProblem(matchersOf('node="m1"', 'nodes="m1"', 'x="y"'), context)).toBe(
    'matchers.1 unknown label `nodes` (did you mean `node`?)',
  );
  expect(unknownLabelProblem(matchersOf('node="m1"'), context)).toBeUndefined();
});
