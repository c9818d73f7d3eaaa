import { describe, expect, it } from 'vitest';
import { type Changes, isFlapping, noted } from '../../src/track/flapping.ts';
import { settings, Tracking } from './tracking.ts';

const { flapping } = settings;

function history(pattern: string, times = 1): Changes {
  return Array.from(pattern.repeat(times)).reduce((changes, one) => noted(changes, one === '1', flapping), '');
}

/** An hour of readings, with half of each period online. */
function toggling(period: number): Tracking {
  const tracking = new Tracking().says('Online', 'Online');
  for (let reading = 0; reading < 720; reading += 1) {
    tracking.says(reading % period < period / 2 ? 'Down' : 'Online');
  }
  return tracking;
}

describe('the share of changes', () => {
  it('is looked at among the last 21 observations, which have 20 changes between them', () => {
    expect(history('1', 50)).toHaveLength(20);
    expect(history(`1${'0'.repeat(20)}`)).toBe('0'.repeat(20));
  });

  it('counts what is not there yet as no change', () => {
    expect(isFlapping(history('11111'), false, flapping)).toBe(false);
    expect(isFlapping(history('111111'), false, flapping)).toBe(true);
  });

  it('weighs what is new more than what is old', () => {
    const five = '11111';
    const nothing = '0'.repeat(15);
    const settled = { ...flapping, on: 0.25 };
    expect(isFlapping(history(`${nothing}${five}`), false, settled)).toBe(true);
    expect(isFlapping(history(`${five}${nothing}`), false, settled)).toBe(false);
  });

  it('has two thresholds', () => {
    const between = history('00010001000100100100');
    expect(isFlapping(between, false, flapping)).toBe(false);
    expect(isFlapping(between, true, flapping)).toBe(true);
  });

  it('of a window of three observations is that of two changes', () => {
    const small = { window: 3, on: 0.5, off: 0.4 };
    expect(noted('01', true, small)).toBe('11');
    expect(isFlapping('01', false, small)).toBe(true);
    expect(isFlapping('00', true, small)).toBe(false);
  });
});

describe('a service that toggles', () => {
  it.each([2, 3, 4, 5, 6])('with a period of %i readings flaps once, until it is over', (period) => {
    const tracking = toggling(period);
    expect(tracking.flappings).toEqual([true]);
    tracking.says(...Array.from({ length: 21 }, () => 'Online'));
    expect(tracking.flappings).toEqual([true, false]);
    expect(tracking.view()).toMatchObject({ observed: 'Online', hard: 'Online', flapping: false });
  });

  it('with a period of one reading shows the same in each, and does not', () => {
    expect(toggling(1).flappings).toEqual([]);
  });

  it('that stays down ends down: the recovery is never made up', () => {
    const tracking = toggling(2).says(...Array.from({ length: 21 }, () => 'Down'));
    expect(tracking.flappings).toEqual([true, false]);
    expect(tracking.view()).toMatchObject({ hard: 'Down', flapping: false });
  });

  it('goes on to flap while nobody can be asked', () => {
    const tracking = toggling(2).unable(50);
    expect(tracking.view().flapping).toBe(true);
    expect(tracking.shown('graphdb_service_flapping')).toBe(1);
  });

  it('only in so far as somebody could ask does not flap', () => {
    const tracking = new Tracking();
    for (let time = 0; time < 100; time += 1) tracking.says('Online').unable();
    expect(tracking.flappings).toEqual([]);
  });

  it('and counts every change', () => {
    const tracking = toggling(2);
    expect(tracking.shown('graphdb_service_transitions_total', { to: 'Down' })).toBe(360);
    expect(tracking.shown('graphdb_service_transitions_total', { to: 'Warmup' })).toBe(0);
  });
});
