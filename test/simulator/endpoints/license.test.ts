import { describe, expect, it } from 'vitest';
import { license } from '../../../src/simulator/endpoints/license.ts';
import { callOn, jsonOf, noon, worldOf } from '../test-world.ts';

const day = 86_400_000;

describe('license', () => {
  it('returns the last day and the number of days left', async () => {
    const world = worldOf();
    expect(world.licenseExpiresAt).toBe(Date.UTC(2026, 8, 22) + 300 * day);
    expect(await jsonOf(license(callOn(world)))).toMatchObject({
      error: false,
      results: [{ 'Expiration date': '2027-07-19 00:00:00', 'Days remaining': 299 }],
    });
  });

  it('counts down', async () => {
    const world = worldOf({ nodes: 1, graphs: [], licenseDays: 10 });
    world.advance(noon + day / 2 - 1);
    expect(await jsonOf(license(callOn(world)))).toMatchObject({ results: [{ 'Days remaining': 9 }] });
    world.advance(noon + day / 2 + 1);
    expect(await jsonOf(license(callOn(world)))).toMatchObject({ results: [{ 'Days remaining': 8 }] });
  });

  it('is an error once it is over', async () => {
    const over = worldOf({ licenseDays: 0 });
    expect(await jsonOf(license(callOn(over)))).toMatchObject({ error: true, code: 'REST-10020' });
  });
});
