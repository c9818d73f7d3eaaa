import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isKept, linesOf, tallyOf } from '../../crash/report.ts';
import { playScene } from '../../crash/scene.ts';

const entry = join(import.meta.dirname, '..', '..', 'bin', 'graphwarden.mjs');

/** `npm run crash` does this a thousand times. */
const kills = Number(process.env.CRASHES ?? 6);

it('keeps what it owes through kills at the worst moments, with receivers that fail', async () => {
  const scenes = [await playScene({ entry, seed: 3, kills })];
  expect(scenes.flatMap(({ findings }) => findings)).toEqual([]);
  const tally = tallyOf(scenes);
  expect(isKept(tally), linesOf(tally).join('\n')).toBe(true);
  expect(tally.livesWithDelivery).toBeGreaterThan(0);
}, 600_000);
