import { describe, expect, it } from 'vitest';
import { serviceState, TrackingHarness } from './tracking-harness.ts';

describe('a gap in the observation', () => {
  it.each([
    ['a tick', { kind: 'tick' }],
    ['an answer', { kind: 'states', source: 'm1', states: [serviceState('Online')], interval: 5000 }],
    ['a failure', { kind: 'poll_failed' }],
  ] as const)('begins after three missed intervals, even if %s reveals it late', (_, input) => {
    const tracking = new TrackingHarness().pollStatuses('Online', 'Online');
    const last = tracking.now.wall;
    tracking.pass(3_600_000).step(input);
    const gap = tracking.transitions[1];
    expect(gap).toMatchObject({ from: 'Online', to: 'unobserved', at: last + 15_000, duration: 20_000 });
    const after = tracking.transitions.slice(2).map(({ to, at, duration }) => ({ to, at, duration }));
    const back = { to: 'Online', at: last + 3_600_000, duration: 3_585_000 };
    expect(after).toEqual(input.kind === 'states' ? [back] : []);
  });

  it('begins at a whole millisecond', () => {
    const tracking = new TrackingHarness().pollStatuses('Online', 'Online');
    const last = tracking.now.wall;
    tracking.mono += 0.4;
    tracking.pass(3_600_000).step({ kind: 'tick' });
    expect(tracking.transitions[1]).toMatchObject({ to: 'unobserved', at: last + 14_999 });
  });

  it('is absent between answers at the current interval', () => {
    const tracking = new TrackingHarness().pollStatuses('Online', 'Online');
    const answer = { kind: 'states', source: 'm1', states: [serviceState('Online')], interval: 60_000 } as const;
    tracking.pass(60_000).step(answer);
    expect(tracking.observedTransitions).toEqual([' > Online']);
  });
});
