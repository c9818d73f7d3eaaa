import { describe, expect, it } from 'vitest';
import { serviceState, TrackingHarness, trackingStart } from './tracking-harness.ts';

describe('a node', () => {
  it('that returns with another host id does not change its services', () => {
    const tracking = new TrackingHarness();
    for (const hostId of ['m1', 'm1', 'host-7f3a', 'host-7f3a']) {
      const event = {
        eventId: `${hostId}-event`,
        timestampNs: `${1_790_000_000_000_000_000n + BigInt(tracking.mono)}`,
      };
      tracking.pollStates([serviceState('Online', event)], hostId);
    }
    expect(tracking.observedTransitions).toEqual([' > Online']);
    expect(tracking.views).toHaveLength(1);
    expect(tracking.view().confirmedSince).toBe(trackingStart + 5000);
  });
});

describe('a change of the source', () => {
  const newer = { timestampNs: '1790000000000000009', eventId: 'newer' };
  const older = { timestampNs: '999999999999999999', eventId: 'older' };

  function downAt(source: string): TrackingHarness {
    const tracking = new TrackingHarness().pollStatuses('Online', 'Online');
    tracking.pollStates([serviceState('Down', newer)], source);
    tracking.pollStates([serviceState('Down', newer)], source);
    return tracking;
  }

  it('does not restore an older status', () => {
    const tracking = downAt('m1');
    tracking.pollStates([serviceState('Online', older)], 'm2');
    tracking.pollStates([serviceState('Online', older)], 'm2');
    expect(tracking.view()).toMatchObject({ observed: 'Down', confirmed: 'Down' });
    expect(tracking.observedTransitions).toEqual([' > Online', 'Online > Down']);
  });

  it('to a source that remains behind leaves the replica unobserved, with its confirmed status', () => {
    const tracking = downAt('m1');
    for (let time = 0; time < 10; time += 1) tracking.pollStates([serviceState('Online', older)], 'm2');
    expect(tracking.view()).toMatchObject({ observed: 'unobserved', confirmed: 'Down' });
  });

  it.each([
    ['Down', 'Down'],
    ['Online', 'unobserved'],
  ])('to a source that remains behind for more than two minutes: %s is observed as %s', (status, observed) => {
    const former = status === 'Down' ? 'Online' : 'Down';
    const tracking = new TrackingHarness();
    tracking.pollStates([serviceState(former, newer)], 'm1');
    tracking.pollStates([serviceState(former, newer)], 'm1');
    for (let time = 0; time < 24; time += 1) tracking.pollStates([serviceState(status, older)], 'm2');
    expect(tracking.view()).toMatchObject({ observed: 'unobserved', confirmed: former });
    for (let time = 0; time < 2; time += 1) tracking.pollStates([serviceState(status, older)], 'm2');
    expect(tracking.view()).toMatchObject({ observed, confirmed: status === 'Down' ? 'Down' : former });
  });

  it('to a source behind a clock that was ahead: an outage and its end are observed at once after two minutes', () => {
    const tracking = new TrackingHarness();
    tracking.pollStates([serviceState('Online', newer)], 'm1');
    for (let time = 0; time < 25; time += 1) tracking.pollStates([serviceState('Online', older)], 'm2');
    tracking.pollStates([serviceState('Down', older)], 'm2');
    tracking.pollStates([serviceState('Online', older)], 'm2');
    expect(tracking.observedTransitions).toEqual([' > Online', 'Online > Down', 'Down > Online']);
  });

  it('to one that is behind only for a while starts its two minutes again', () => {
    const tracking = new TrackingHarness();
    for (let time = 0; time < 20; time += 1) {
      tracking.pollStates([serviceState('Online', newer)], 'm1');
      for (let poll = 0; poll < 2; poll += 1) tracking.pollStates([serviceState('Down', older)], 'm2');
    }
    expect(tracking.observedTransitions).toEqual([' > Online']);
  });

  it('to one with an event of the same age, or newer, is accepted', () => {
    for (const timestampNs of [newer.timestampNs, '1790000000000000010']) {
      const tracking = downAt('m1');
      tracking.pollStates([serviceState('Online', { timestampNs })], 'm2');
      expect(tracking.view().observed).toBe('Online');
    }
  });

  it('to a source that lags behind with the same status is an observation', () => {
    const tracking = downAt('m1');
    for (let time = 0; time < 10; time += 1) tracking.pollStates([serviceState('Down', older)], 'm2');
    expect(tracking.view().observed).toBe('Down');
    tracking.pollStates([serviceState('Online', older)], 'm2');
    expect(tracking.view().observed).toBe('Down');
  });

  it('is absent if the same node answers, because its clock may have been set', () => {
    const tracking = downAt('m1');
    tracking.pollStates([serviceState('Online', older)], 'm1');
    expect(tracking.view().observed).toBe('Online');
  });

  it.each(['', 'soon', '-5', '1e30'])('accepts an event whose time is %j', (timestampNs) => {
    const tracking = downAt('m1');
    tracking.pollStates([serviceState('Online', { timestampNs })], 'm2');
    expect(tracking.view().observed).toBe('Online');
  });

  it('keeps the status that both confirm', () => {
    const tracking = downAt('m1').failPoll();
    tracking.pollStates([serviceState('Down', older)], 'm2');
    expect(tracking.view()).toMatchObject({ observed: 'Down', confirmed: 'Down' });
  });
});
