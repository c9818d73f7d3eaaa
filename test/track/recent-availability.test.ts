import { describe, expect, it } from 'vitest';
import { memoryStore } from '../../src/runtime/store/local-store.ts';
import { restoreTracker } from '../../src/track/restore.ts';
import { serviceState, TrackingHarness } from './tracking-harness.ts';

function recentOf(tracking: TrackingHarness) {
  return [...tracking.state.partitions.values()].map(({ recent }) => recent);
}

function repeated(times: number, ...statuses: readonly string[]): readonly string[] {
  return Array.from({ length: times }, () => statuses).flat();
}

describe('recent outages of a partition', () => {
  it('add up over ten minutes', () => {
    const tracking = new TrackingHarness().pollStatuses('Online', ...repeated(12, 'Down', 'Online'));
    expect(recentOf(tracking)).toEqual([{ unavailableRatio: 0.1, outages: 12 }]);
    tracking.pollStatuses(...repeated(120, 'Online'));
    expect(recentOf(tracking)).toEqual([{ unavailableRatio: 0, outages: 0 }]);
  });

  it('include a first status that is already down, and one that lasts', () => {
    const tracking = new TrackingHarness().pollStatuses(...repeated(61, 'Down'));
    expect(recentOf(tracking)).toEqual([{ unavailableRatio: 0.5, outages: 1 }]);
    tracking.pollStatuses(...repeated(120, 'Down'));
    expect(recentOf(tracking)).toEqual([{ unavailableRatio: 1, outages: 1 }]);
  });

  it('need all replicas to be down', () => {
    const tracking = new TrackingHarness();
    const [one, other] = [serviceState('Down'), serviceState('Online', { replica: '2' })];
    for (let poll = 0; poll < 10; poll += 1) tracking.pollStates([one, other]);
    expect(recentOf(tracking)).toEqual([{ unavailableRatio: 0, outages: 0 }]);
  });

  it('do not include unobserved time', () => {
    const tracking = new TrackingHarness().pollStatuses('Down', 'Down');
    tracking.pass(60_000).step({ kind: 'poll_failed' });
    tracking.pass(60_000).step({ kind: 'poll_failed' });
    tracking.pollStatuses('Online');
    expect(recentOf(tracking)).toEqual([{ unavailableRatio: 20_000 / 600_000, outages: 1 }]);
  });

  it('are one outage if it lasts through unobserved time', () => {
    const tracking = new TrackingHarness().pollStatuses('Online', 'Down', 'Down');
    tracking.pass(60_000).step({ kind: 'poll_failed' });
    tracking.pass(60_000).step({ kind: 'poll_failed' });
    tracking.pollStatuses('Down', 'Online', 'Down');
    expect(recentOf(tracking)).toMatchObject([{ outages: 2 }]);
  });

  it('are one outage if it lasts through a restart', async () => {
    const store = memoryStore();
    const first = new TrackingHarness().pollStatuses('Online', ...repeated(40, 'Down'));
    await store.commit(first.outputs.flatMap((output) => (output.kind === 'change' ? [output.change] : [])));
    const at = { wall: first.wall + 60_000, mono: 5000 };
    const second = new TrackingHarness({}, await restoreTracker('prod', store, at), at).pollStatuses('Down', 'Down');
    expect(recentOf(second)).toMatchObject([{ outages: 1 }]);
  });

  it('are kept through a restart, without the time in between', async () => {
    const store = memoryStore();
    const first = new TrackingHarness().pollStatuses('Online', ...repeated(4, 'Down', 'Down', 'Online'));
    await store.commit(first.outputs.flatMap((output) => (output.kind === 'change' ? [output.change] : [])));
    const at = { wall: first.wall + 60_000, mono: 5000 };
    const state = await restoreTracker('prod', store, at);
    const second = new TrackingHarness({}, state, at).pollStatuses('Online');
    expect(recentOf(second)).toEqual([{ unavailableRatio: 40_000 / 600_000, outages: 4 }]);
  });
});

describe('a gap in the observation', () => {
  it('is found by the wall clock if the machine was suspended', () => {
    const tracking = new TrackingHarness().pollStatuses('Online', 'Online');
    tracking.wall += 6 * 3_600_000;
    tracking.pollStatuses('Online');
    expect(tracking.observedTransitions).toEqual([' > Online', 'Online > unobserved', 'unobserved > Online']);
    const gap = tracking.transitions.at(-1)?.duration ?? 0;
    expect(gap).toBe(6 * 3_600_000 + 5000 - 15_000);
  });

  it('is absent if the wall clock steps back, which does not shorten an outage', () => {
    const tracking = new TrackingHarness().pollStatuses('Online', ...repeated(5, 'Down'));
    tracking.wall -= 6 * 3_600_000;
    tracking.pollStatuses('Down', 'Online');
    expect(tracking.observedTransitions).toEqual([' > Online', 'Online > Down', 'Down > Online']);
    expect(tracking.transitions.at(-1)?.duration).toBe(30_000);
  });
});
