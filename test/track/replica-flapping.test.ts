import { describe, expect, it } from 'vitest';
import { appendChange, type ChangeHistory, detectFlapping } from '../../src/track/replica.ts';
import { settings, TrackingHarness } from './tracking-harness.ts';

const { flapping } = settings;

function history(pattern: string, times = 1): ChangeHistory {
  return Array.from(pattern.repeat(times)).reduce((changes, one) => appendChange(changes, one === '1', flapping), '');
}

/** Returns the state after an hour of polls in which each period is online for its first half. */
function toggling(period: number): TrackingHarness {
  const tracking = new TrackingHarness().pollStatuses('Online', 'Online');
  for (let reading = 0; reading < 720; reading += 1) {
    tracking.pollStatuses(reading % period < period / 2 ? 'Down' : 'Online');
  }
  return tracking;
}

describe('the share of changes', () => {
  it('is computed from the last 21 observations, which have 20 possible changes', () => {
    expect(history('1', 50)).toHaveLength(20);
    expect(history(`1${'0'.repeat(20)}`)).toBe('0'.repeat(20));
  });

  it('counts a missing poll result as no change', () => {
    expect(detectFlapping(history('11111'), false, flapping)).toBe(false);
    expect(detectFlapping(history('111111'), false, flapping)).toBe(true);
  });

  it('weighs new changes more than old ones', () => {
    const five = '11111';
    const nothing = '0'.repeat(15);
    const settled = { ...flapping, on: 0.25 };
    expect(detectFlapping(history(`${nothing}${five}`), false, settled)).toBe(true);
    expect(detectFlapping(history(`${five}${nothing}`), false, settled)).toBe(false);
  });

  it('has two thresholds', () => {
    const between = history('00010001000100100100');
    expect(detectFlapping(between, false, flapping)).toBe(false);
    expect(detectFlapping(between, true, flapping)).toBe(true);
  });

  it('of a window of three observations is that of two changes', () => {
    const small = { window: 3, on: 0.5, off: 0.4, changes: 8 };
    expect(appendChange('01', true, small)).toBe('11');
    expect(detectFlapping('01', false, small)).toBe(true);
    expect(detectFlapping('00', true, small)).toBe(false);
  });
});

describe('a service that toggles', () => {
  it.each([2, 3, 4, 5, 6])('with a period of %i polls flaps once, until it is stable', (period) => {
    const tracking = toggling(period);
    expect(tracking.flappings).toEqual([true]);
    tracking.pollStatuses(...Array.from({ length: 21 }, () => 'Online'));
    expect(tracking.flappings).toEqual([true, false]);
    expect(tracking.view()).toMatchObject({ observed: 'Online', confirmed: 'Online', flapping: false });
  });

  it('with a period of one poll has the same status in each poll, and does not flap', () => {
    expect(toggling(1).flappings).toEqual([]);
  });

  it('that stays down ends with the status Down', () => {
    const tracking = toggling(2).pollStatuses(...Array.from({ length: 21 }, () => 'Down'));
    expect(tracking.flappings).toEqual([true, false]);
    expect(tracking.view()).toMatchObject({ confirmed: 'Down', flapping: false });
  });

  it('stays flapping while all polls fail', () => {
    const tracking = toggling(2).failPoll(50);
    expect(tracking.view().flapping).toBe(true);
    expect(tracking.shown('graphdb_service_flapping')).toBe(1);
  });

  it('between a status and failed polls does not flap', () => {
    const tracking = new TrackingHarness();
    for (let time = 0; time < 100; time += 1) tracking.pollStatuses('Online').failPoll();
    expect(tracking.flappings).toEqual([]);
  });

  it('has every change counted', () => {
    const tracking = toggling(2);
    expect(tracking.shown('graphdb_service_transitions_total', { to: 'Down' })).toBe(360);
    expect(tracking.shown('graphdb_service_transitions_total', { to: 'Warmup' })).toBeUndefined();
  });
});

describe('flapping by time', () => {
  const period = [...Array.from({ length: 5 }, () => 'Down'), ...Array.from({ length: 5 }, () => 'Online')];
  const cycles = Array.from({ length: 6 }, () => period).flat();

  it('begins with a service that is down for 25 s and up for 25 s, and ends when it is stable', () => {
    const tracking = new TrackingHarness().pollStatuses('Online', ...cycles);
    expect(tracking.flappings).toEqual([true]);
    tracking.pollStatuses(...Array.from({ length: 21 }, () => 'Online'));
    expect(tracking.flappings).toEqual([true, false]);
  });

  it('does not begin with fewer changes than configured', () => {
    const tracking = new TrackingHarness({ flapping: { ...settings.flapping, changes: 13 } });
    expect(tracking.pollStatuses('Online', ...cycles).flappings).toEqual([]);
  });
});
