import { describe, expect, it } from 'vitest';
import { serviceState, TrackingHarness } from './tracking-harness.ts';

describe('a replica that is missing from poll results', () => {
  const both = [serviceState('Online'), serviceState('Online', { replica: '2' })];
  const one = both.slice(0, 1);

  function gone(misses: number, changes = {}): TrackingHarness {
    const tracking = new TrackingHarness(changes);
    for (let time = 0; time < 2; time += 1) tracking.pollStates(both);
    for (let time = 0; time < misses; time += 1) tracking.pollStates(one);
    return tracking;
  }

  it('is absent, confirmed, after the second result without it', () => {
    expect(gone(1).view('GPE', '2')).toMatchObject({ observed: 'Online', confirmed: 'Online' });
    const tracking = gone(2);
    expect(tracking.view('GPE', '2')).toMatchObject({ observed: 'absent', confirmed: 'absent', process: '' });
    expect(tracking.observedTransitions).toEqual([' > Online', ' > Online', 'Online > absent']);
    expect(tracking.confirmedTransitions.at(-1)).toBe('Online > absent');
  });

  it('is reported once', () => {
    expect(gone(20).transitions).toHaveLength(3);
    expect(gone(20).confirmedTransitions).toHaveLength(3);
  });

  it('returns with its reported status', () => {
    const tracking = gone(5);
    tracking.pollStates(both);
    expect(tracking.view('GPE', '2')).toMatchObject({ observed: 'Online', confirmed: 'absent' });
    tracking.pollStates(both);
    expect(tracking.view('GPE', '2').confirmed).toBe('Online');
  });

  it('is not absent after failed polls', () => {
    const tracking = gone(1).failPoll(10);
    expect(tracking.view('GPE', '2')).toMatchObject({ observed: 'unobserved', confirmed: 'Online' });
  });

  it('is forgotten after a day, and its timeline ends there', () => {
    const tracking = gone(2, { forget: 60_000 });
    for (let time = 0; time < 10; time += 1) tracking.pollStates(one);
    expect(tracking.views).toHaveLength(2);
    const said = tracking.pollStates(one);
    expect(tracking.views).toHaveLength(1);
    expect(tracking.observedTransitions.at(-1)).toBe('absent > ');
    expect(said).toContainEqual({
      kind: 'change',
      change: { table: 'tracker_replicas', drop: { cluster: 'prod', service: 'GPE', partition: '1', replica: '2' } },
    });
    expect(tracking.shown('graphdb_service_flapping', { replica: '2' })).toBeUndefined();
  });

  it('is not forgotten while all polls fail', () => {
    const tracking = gone(2, { forget: 60_000 }).failPoll(100);
    expect(tracking.views).toHaveLength(2);
  });

  it('is forgotten at once by an operator', () => {
    const tracking = gone(2);
    tracking.step({
      kind: 'forget',
      replica: { cluster: 'prod', service: 'GPE', partition: '1', replica: '2' },
    });
    expect(tracking.views).toHaveLength(1);
    tracking.pollStates(both);
    expect(tracking.observedTransitions.slice(-2)).toEqual(['absent > ', ' > Online']);
  });

  it('that is unknown cannot be forgotten', () => {
    const unknown = { cluster: 'prod', service: 'GSE', partition: '9', replica: '9' };
    expect(gone(0).step({ kind: 'forget', replica: unknown })).toEqual([]);
  });
});
