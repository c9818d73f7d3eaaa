import { describe, expect, it } from 'vitest';
import { ageAt, candidateOf } from '../../src/guard/candidate.ts';
import { at, listAt, sightingOf } from './listed.ts';

const sighting = sightingOf({ elapsedTime: 58_000 });

describe('a candidate', () => {
  it('is as old as is beyond doubt, and at most as old as the server says', () => {
    expect(candidateOf('n1', sighting, listAt(60_000, 300), 0)).toEqual({
      node: 'n1',
      sighting,
      at: at(60_000).mono,
      age: { least: 58_000, most: 58_300 },
    });
    expect(candidateOf('n1', sighting, listAt(55_000), 0)?.age).toEqual({ least: 55_000, most: 58_000 });
  });

  it('is none where the ages disagree, and before the clock is known', () => {
    expect(candidateOf('n1', sighting, listAt(52_999), 0)).toBeUndefined();
    expect(candidateOf('n1', sighting, listAt(60_000), undefined)).toBeUndefined();
  });

  it('grows older as time goes by', () => {
    const one = candidateOf('n1', sighting, listAt(60_000, 300), 0);
    expect(one && ageAt(one, at(60_000).mono)).toEqual({ least: 58_000, most: 58_300 });
    expect(one && ageAt(one, at(67_500).mono)).toEqual({ least: 65_500, most: 65_800 });
  });
});
