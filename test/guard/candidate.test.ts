import { describe, expect, it } from 'vitest';
import { ageAt, createCandidate } from '../../src/guard/candidate.ts';
import { at, listAt, observationOf } from './observations.ts';

const observation = observationOf({ elapsedTime: 58_000 });

describe('candidate', () => {
  it('has the verified age as minimum and the reported age as maximum', () => {
    expect(createCandidate('n1', observation, listAt(60_000, 300), 0)).toEqual({
      node: 'n1',
      observation,
      at: at(60_000).mono,
      age: { least: 58_000, most: 59_300 },
      since: at(2000).mono,
    });
    expect(createCandidate('n1', observation, listAt(55_000), 0)?.age).toEqual({ least: 55_000, most: 59_000 });
  });

  it('does not exist if the ages disagree or the clock offset is unknown', () => {
    expect(createCandidate('n1', observation, listAt(52_999), 0)).toBeUndefined();
    expect(createCandidate('n1', observation, listAt(60_000), undefined)).toBeUndefined();
  });

  it('becomes older over time', () => {
    const one = createCandidate('n1', observation, listAt(60_000, 300), 0);
    expect(one && ageAt(one, at(60_000).mono)).toEqual({ least: 58_000, most: 59_300 });
    expect(one && ageAt(one, at(67_500).mono)).toEqual({ least: 65_500, most: 66_800 });
  });
});
