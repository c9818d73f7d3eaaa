import { describe, expect, it } from 'vitest';
import {
  isUndocumentedStatus,
  trackerMetrics,
  trackerSamples,
  transitionTargetOf,
} from '../../src/track/tracker-metrics.ts';
import { serviceState, TrackingHarness, trackingStart } from './tracking-harness.ts';

function samplesOf({ state, now }: TrackingHarness) {
  return [...trackerSamples(state, now)];
}

function transitionsOf(tracking: TrackingHarness): Readonly<Record<string, number>> {
  const transitions = samplesOf(tracking).flatMap(({ labels: { to }, value }) =>
    to === undefined ? [] : [[to, value]],
  );
  return Object.fromEntries(transitions);
}

const partition = { service_name: 'GPE', partition: '1' };

describe('the metrics of the tracker', () => {
  it('are all declared, with exactly their labels', () => {
    const tracking = new TrackingHarness()
      .pollStatuses('Online', 'Down', 'Down')
      .failPoll()
      .pollStatuses('Hibernating', 'Online');
    tracking.step({ kind: 'codes', codes: [{ ...serviceState('Online'), code: 6 }], interval: 15_000 });
    const samples = samplesOf(tracking);
    for (const { metric, labels, value } of samples) {
      expect(trackerMetrics).toContain(metric);
      expect(Object.keys(labels)).toEqual(metric.labels);
      expect(value).toBeGreaterThanOrEqual(0);
    }
    expect(new Set(samples.map(({ metric }) => metric))).toEqual(new Set(trackerMetrics));
  });

  it('have no series twice', () => {
    const tracking = new TrackingHarness();
    tracking.pollStates([
      serviceState('Online'),
      serviceState('Online', { replica: '2' }),
      serviceState('Online', { service: 'GSE' }),
    ]);
    const keys = samplesOf(tracking).map(({ metric, labels }) => JSON.stringify([metric.name, labels]));
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('are empty before the first answer', () => {
    expect(samplesOf(new TrackingHarness()).map(({ metric, value }) => [metric.name, value])).toEqual([
      ['graphdb_services_untracked', 0],
    ]);
  });

  it('have the time of the last change, while it is observed', () => {
    const tracking = new TrackingHarness().pollStatuses('Online', 'Online', 'Down');
    const name = 'graphdb_service_state_since_timestamp_seconds';
    expect(tracking.shown(name)).toBe((trackingStart + 15_000) / 1000);
    expect(tracking.failPoll().shown(name)).toBeUndefined();
  });

  it('count transitions to a status from the first one on: 0 for a minute, then the count', () => {
    const tracking = new TrackingHarness().pollStatuses('Online');
    expect(transitionsOf(tracking)).toEqual({ Online: 1 });
    tracking.pollStatuses('Down');
    expect(transitionsOf(tracking)).toEqual({ Online: 1, Down: 0 });
    tracking.pollStatuses('Online', 'Down');
    expect(transitionsOf(tracking)).toEqual({ Online: 2, Down: 0 });
    expect(transitionsOf(tracking.pass(49_999))).toEqual({ Online: 2, Down: 0 });
    expect(transitionsOf(tracking.pass(1))).toEqual({ Online: 2, Down: 2 });
  });

  it('show a transition after a gap as 0 first, although it happened in the past', () => {
    const tracking = new TrackingHarness().pollStatuses('Online').pass(600_000);
    tracking.step({ kind: 'tick' });
    expect(transitionsOf(tracking)).toEqual({ Online: 1, unobserved: 0 });
  });

  it('have the number of online replicas of a partition, while one of them is observed', () => {
    const tracking = new TrackingHarness();
    const states = [serviceState('Online'), serviceState('Down', { replica: '2' })];
    tracking.pollStates(states);
    expect(tracking.shown('graphdb_partition_online_replicas', partition)).toBeUndefined();
    tracking.pollStates(states);
    expect(tracking.shown('graphdb_partition_online_replicas', partition)).toBe(1);
    expect(tracking.shown('graphdb_partition_replicas', partition)).toBe(2);
    tracking.failPoll();
    expect(tracking.shown('graphdb_partition_online_replicas', partition)).toBeUndefined();
    expect(tracking.shown('graphdb_partition_replicas', partition)).toBe(2);
    tracking.pollStates(states);
    expect(tracking.shown('graphdb_partition_online_replicas', partition)).toBe(1);
  });
});

describe('label of the new status of a transition', () => {
  it.each([
    ['Online', 'Online'],
    ['absent', 'absent'],
    ['unobserved', 'unobserved'],
    ['StatusUnchanged', 'unrecognised'],
    ['anything else', 'unrecognised'],
  ])('of %j is %s', (status, to) => {
    expect(transitionTargetOf(status)).toBe(to);
  });
});

describe('a status of the server', () => {
  it.each([
    ['Hibernating', true],
    ['Online', false],
    ['absent', false],
    ['unobserved', false],
    ['', false],
  ])('%j is undocumented: %j', (status, unheard) => {
    expect(isUndocumentedStatus(status)).toBe(unheard);
  });
});
