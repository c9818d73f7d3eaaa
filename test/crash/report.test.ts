import { expect, it } from 'vitest';
import { findingKinds } from '../../crash/evidence.ts';
import { isKept, isTelling, linesOf, tallyOf } from '../../crash/report.ts';
import type { SceneResult } from '../../crash/scene.ts';
import { evidenceOf } from './logs.ts';

const deliveries = {
  receiver: 'chat',
  findings: [],
  delivered: 5,
  inFlight: 2,
  unansweredAtKill: 1,
  slowestStoring: 12,
  duplicates: 1,
  unanswered: 3,
  folded: 1,
  livesWithDelivery: new Set([0]),
};
const scene: SceneResult = {
  seed: 1,
  findings: [],
  deliveries: [deliveries, deliveries],
  stretches: 7,
  unseen: 1,
  lives: [
    { moment: 'send', delivered: true },
    { moment: 'time', delivered: false },
  ],
  evidence: evidenceOf(),
};

it('adds up', () => {
  const tally = tallyOf([scene, scene]);
  expect(tally).toMatchObject({ kills: 4, livesWithDelivery: 2, delivered: 20, inFlight: 8, duplicates: 4 });
  expect(tally.killsByMoment).toEqual({ time: 2, write: 0, send: 2, acknowledge: 0 });
  expect(tally.deliveredTo).toEqual({ chat: 20 });
  expect(isKept(tally) && isTelling(tally)).toBe(true);
  expect(linesOf(tally)).toContain('in flight at a kill: 8, 4 of them without an answer');
  expect(linesOf(tally)).toContain('duplicates for that reason: 4, of something answered at most 12 ms before');
});

it.each(findingKinds)('is not good where something is %s', (kind) => {
  const tally = tallyOf([scene, { ...scene, findings: [{ kind, about: 'x' }] }]);
  expect(isKept(tally)).toBe(false);
  expect(linesOf(tally)).toContain(`${kind}: 1`);
});

it('is not good where more came twice than was under way, and says little where little came', () => {
  expect(isKept(tallyOf([{ ...scene, deliveries: [{ ...deliveries, duplicates: 3 }] }]))).toBe(false);
  const idle = scene.lives.map((life) => ({ ...life, delivered: false }));
  expect(isTelling(tallyOf([{ ...scene, lives: idle }]))).toBe(false);
});
