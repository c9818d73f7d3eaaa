import { describe, expect, it } from 'vitest';
import { confirmStatus, markUnobserved, newReplica, observeMissing, observeState } from '../../src/track/replica.ts';
import { serviceState, settings, trackingStart } from './tracking-harness.ts';

const now = { wall: trackingStart, mono: 100 };
const later = { wall: trackingStart + 5000, mono: 5100 };
const id = { service: 'GPE', partition: '1', replica: '1' };
const fresh = newReplica(id, now);
const context = { source: 'm1', now: later, settings };

describe('a replica', () => {
  it('without an observation is neither green nor red', () => {
    expect(fresh).toMatchObject({
      ...id,
      observed: '',
      confirmed: 'unobserved',
      status: '',
      consecutiveObservations: 0,
      transitionCounts: {},
    });
  });

  it('has only its identity from the first report', () => {
    expect(newReplica(serviceState('Down'), now)).toEqual(fresh);
  });

  it('records source, status and time of an observation', () => {
    const event = { process: 'Stopped', eventId: 'e1', timestampNs: '17' };
    expect(observeState(fresh, serviceState('Down', event), context)).toMatchObject({
      observed: 'Down',
      observedSince: later.wall,
      observedSinceMono: later.mono,
      consecutiveObservations: 1,
      process: 'Stopped',
      eventId: 'e1',
      eventNs: '17',
      source: 'm1',
    });
  });

  it('keeps its process state if an unchanged status has none', () => {
    const known = observeState(fresh, serviceState('Online'), context);
    expect(observeState(known, serviceState('StatusUnchanged', { process: '' }), context).process).toBe('Running');
    expect(observeState(known, serviceState('StatusUnchanged', { process: 'Stopped' }), context).process).toBe(
      'Stopped',
    );
  });

  it('that is missing once changes only its misses', () => {
    const known = observeState(fresh, serviceState('Online'), context);
    expect(observeMissing(known, context)).toEqual({ ...known, consecutiveMisses: 1, missingSince: later.wall });
  });

  it('that is missing keeps the start of its absence until it returns', () => {
    const gone = observeMissing(observeMissing(observeState(fresh, serviceState('Online'), context), context), {
      ...context,
      now: { wall: trackingStart + 10_000, mono: 10_100 },
    });
    expect(gone).toMatchObject({ confirmed: 'absent', consecutiveMisses: 2, missingSince: later.wall });
    expect(observeState(gone, serviceState('Online'), context)).toMatchObject({
      consecutiveMisses: 0,
      missingSince: undefined,
    });
  });

  it('keeps its time if it is unobserved twice', () => {
    const blind = markUnobserved(observeState(fresh, serviceState('Online'), context), later);
    expect(markUnobserved(blind, { wall: trackingStart + 60_000, mono: 60_100 })).toEqual(blind);
  });

  it('is not confirmed by unobserved time, or before `confirm_for`', () => {
    const blind = markUnobserved(observeState(fresh, serviceState('Online'), context), later);
    const patient = {
      now: { wall: trackingStart + 60_000, mono: 60_100 },
      settings: { ...settings, confirmFor: 1000 },
    };
    expect(confirmStatus(blind, patient)).toBe(blind);
    const known = observeState(fresh, serviceState('Online'), context);
    expect(confirmStatus(known, context)).toBe(known);
    expect(confirmStatus(known, patient)).toMatchObject({ confirmed: 'Online', confirmedSince: known.observedSince });
  });
});
