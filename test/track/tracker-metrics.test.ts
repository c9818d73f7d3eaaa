import { describe, expect, it } from 'vitest';
import { serviceStatusCodes } from '../../src/model/service.ts';
import {
  isUndocumentedStatus,
  trackerMetrics,
  trackerSamples,
  transitionTargetOf,
} from '../../src/track/tracker-metrics.ts';
import { serviceState, TrackingHarness, trackingStart } from './tracking-harness.ts';

function samplesOf({ state }: TrackingHarness) {
  return [...trackerSamples(state)];
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

  it('are none of any service before the first answer', () => {
    expect(samplesOf(new TrackingHarness()).map(({ metric, value }) => [metric.name, value])).toEqual([
      ['graphdb_services_untracked', 0],
    ]);
  });

  it('say since when it is so, while it is observed', () => {
    const tracking = new TrackingHarness().pollStatuses('Online', 'Online', 'Down');
    const name = 'graphdb_service_state_since_timestamp_seconds';
    expect(tracking.shown(name)).toBe((trackingStart + 15_000) / 1000);
    expect(tracking.failPoll().shown(name)).toBeUndefined();
  });

  it('count every status that a transition may lead to from the beginning', () => {
    const transitions = samplesOf(new TrackingHarness().pollStatuses('Online')).filter(
      ({ metric }) => metric.type === 'counter',
    );
    const counts = transitions.flatMap(({ labels, value }) => ('to' in labels ? [[labels.to, value]] : []));
    const statuses = Object.keys(serviceStatusCodes).filter((status) => status !== 'StatusUnchanged');
    const zeros = [...statuses, 'unrecognised', 'absent', 'unobserved'].map((to) => [to, to === 'Online' ? 1 : 0]);
    expect(counts).toEqual(zeros);
  });

  it('say how many replicas of a partition are online, while one of them is observed', () => {
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

describe('the label for what a transition leads to', () => {
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

describe('a word of the server', () => {
  it.each([
    ['Hibernating', true],
    ['Online', false],
    ['absent', false],
    ['unobserved', false],
    ['', false],
  ])('%j is unheard of: %j', (status, unheard) => {
    expect(isUndocumentedStatus(status)).toBe(unheard);
  });
});
