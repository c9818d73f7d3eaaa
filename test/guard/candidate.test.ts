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
      grantedTimeout: { least: 16_000, most: 16_000 },
      since: at(2000).mono,
    });
    expect(createCandidate('n1', observation, listAt(55_000), 0)?.age).toEqual({ least: 55_000, most: 59_000 });
  });

  it('does not exist if the ages disagree or the clock offset is unknown', () => {
    expect(createCandidate('n1', observation, listAt(52_999), 0)).toBeUndefined();
    expect(createCandidate('n1', observation, listAt(60_000), undefined)).toBeUndefined();
  });

  it('does not exist if its timeout is negative and no clocks change', () => {
    const negative = observationOf({ elapsedTime: 58_000, expirationTime: '2026-09-21 14:13:19.000' });
    expect(createCandidate('n1', negative, listAt(60_000), 0)).toBeUndefined();
  });

  it('has no timeout if the server does not list it', () => {
    const unlisted = observationOf({ elapsedTime: 58_000, expirationTime: undefined });
    expect(createCandidate('n1', unlisted, listAt(60_000), 0)).toMatchObject({ grantedTimeout: undefined });
  });

  it('has the range of its timeout by the clock of the node', () => {
    const entry = {
      startTime: '2026-10-25 02:30:00.000',
      expirationTime: '2026-10-25 02:00:00.000',
      elapsedTime: 58_000,
    };
    const start = Date.parse('2026-10-25T00:30Z');
    const one = observationOf({ ...entry, requestid: `1.RESTPP_1_1.${start}.N` });
    for (const offset of [0, -3_600_000, 3_600_000]) {
      const now = { wall: start + 58_000 + offset, mono: 1_000_000 };
      const { grantedTimeout } = createCandidate('n1', one, { started: now, received: now }, offset) ?? {};
      expect(grantedTimeout).toEqual({ least: 0, most: 1_800_000 });
    }
  });

  it('becomes older over time', () => {
    const one = createCandidate('n1', observation, listAt(60_000, 300), 0);
    expect(one && ageAt(one, at(60_000).mono)).toEqual({ least: 58_000, most: 59_300 });
    expect(one && ageAt(one, at(67_500).mono)).toEqual({ least: 65_500, most: 66_800 });
  });
});
