import { expect, it } from 'vitest';
import { findingKinds } from '../../../crash/guard/evidence.ts';
import { isKept, isTelling, linesOf, tallyOf } from '../../../crash/guard/report.ts';
import type { SceneResult } from '../../../crash/guard/scene.ts';
import { asked, evidenceOf, row } from './logs.ts';

const scene: SceneResult = {
  seed: 1,
  findings: [],
  chances: [
    { isEnough: true, asked: 2 },
    { isEnough: true, asked: 0 },
    { isEnough: false, asked: 0 },
  ],
  lives: [
    { moment: 'send', hasCome: true },
    { moment: 'write', hasCome: false },
  ],
  full: 4,
  closest: 7,
  unanswered: 1,
  evidence: evidenceOf({
    calls: [asked('a', 0), asked('b', 10)],
    rows: [row('a', 0, 'vanished'), row('b', 0, 'confirmed'), row('c', 0, 'vanished'), row('d', 0, 'withdrawn')],
  }),
};

it('adds up', () => {
  const tally = tallyOf([scene, { ...scene, closest: 5 }]);
  expect(tally).toMatchObject({ kills: 4, missed: 2, enough: 4, telling: 2, requests: 4, unanswered: 2, full: 8 });
  expect(tally).toMatchObject({ intents: 8, cut: 2, closest: 5, findings: {} });
  expect(tally.outcomes).toEqual({ confirmed: 2, vanished: 4, withdrawn: 2 });
  expect(isKept(tally) && isTelling(tally)).toBe(true);
  expect(linesOf(tally)).toContain('intents: 8, 2 of them killed before the request');
  expect(linesOf(tally)).toContain('outcomes: confirmed 2, vanished 4, withdrawn 2');
});

it.each(findingKinds)('is not good where something is found: %s', (kind) => {
  const tally = tallyOf([scene, { ...scene, findings: [{ kind, about: 'x' }] }]);
  expect(isKept(tally)).toBe(false);
  expect(linesOf(tally)).toContain(`${kind}: 1`);
});

it('says little where little was aborted', () => {
  const idle = scene.chances.map((one) => ({ ...one, asked: 0 }));
  expect(isTelling(tallyOf([{ ...scene, chances: idle }]))).toBe(false);
  expect(isTelling(tallyOf([scene, { ...scene, chances: idle }]))).toBe(false);
});
