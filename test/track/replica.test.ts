import { describe, expect, it } from 'vitest';
import { hardened, heard, missed, unasked, unknownReplica } from '../../src/track/replica.ts';
import { settings, start, told } from './tracking.ts';

const now = { wall: start, mono: 100 };
const later = { wall: start + 5000, mono: 5100 };
const id = { service: 'GPE', partition: '1', replica: '1' };
const fresh = unknownReplica(id, now);
const hearing = { source: 'm1', now: later, settings };

describe('a replica', () => {
  it('of which nothing was observed is neither green nor red', () => {
    expect(fresh).toMatchObject({ ...id, observed: '', hard: 'unobserved', status: '', seen: 0, counts: {} });
  });

  it('takes its identity alone from whoever tells of it', () => {
    expect(unknownReplica(told('Down'), now)).toEqual(fresh);
  });

  it('remembers who told what, and when', () => {
    const event = { process: 'Stopped', eventId: 'e1', timestampNs: '17' };
    expect(heard(fresh, told('Down', event), hearing)).toMatchObject({
      observed: 'Down',
      observedSince: later.wall,
      began: later.mono,
      seen: 1,
      process: 'Stopped',
      eventId: 'e1',
      eventNs: '17',
      source: 'm1',
    });
  });

  it('keeps its process where an answer without news has none', () => {
    const known = heard(fresh, told('Online'), hearing);
    expect(heard(known, told('StatusUnchanged', { process: '' }), hearing).process).toBe('Running');
    expect(heard(known, told('StatusUnchanged', { process: 'Stopped' }), hearing).process).toBe('Stopped');
  });

  it('that was missed once is as before, but for that', () => {
    const known = heard(fresh, told('Online'), hearing);
    expect(missed(known, hearing)).toEqual({ ...known, missed: 1, missingSince: later.wall });
  });

  it('that was missed remembers since when, until it is back', () => {
    const gone = missed(missed(heard(fresh, told('Online'), hearing), hearing), {
      ...hearing,
      now: { wall: start + 10_000, mono: 10_100 },
    });
    expect(gone).toMatchObject({ hard: 'absent', missed: 2, missingSince: later.wall });
    expect(heard(gone, told('Online'), hearing)).toMatchObject({ missed: 0, missingSince: undefined });
  });

  it('is not made older by being unobserved twice', () => {
    const blind = unasked(heard(fresh, told('Online'), hearing), later);
    expect(unasked(blind, { wall: start + 60_000, mono: 60_100 })).toEqual(blind);
  });

  it('is not hardened by what nobody observed, nor for lack of time', () => {
    const blind = unasked(heard(fresh, told('Online'), hearing), later);
    const patient = { now: { wall: start + 60_000, mono: 60_100 }, settings: { ...settings, hold: 1000 } };
    expect(hardened(blind, patient)).toBe(blind);
    const known = heard(fresh, told('Online'), hearing);
    expect(hardened(known, hearing)).toBe(known);
    expect(hardened(known, patient)).toMatchObject({ hard: 'Online', hardSince: known.observedSince });
  });
});
