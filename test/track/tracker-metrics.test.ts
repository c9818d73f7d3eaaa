import { describe, expect, it } from 'vitest';
import { serviceStatusCodes } from '../../src/model/service.ts';
import { destinationOf, isUnheardOf, trackerMetrics, trackerSamples } from '../../src/track/tracker-metrics.ts';
import { start, Tracking, told } from './tracking.ts';

function samplesOf({ state }: Tracking) {
  return [...trackerSamples(state)];
}

const partition = { service_name: 'GPE', partition: '1' };

describe('the metrics of the tracker', () => {
  it('are all declared, with exactly their labels', () => {
    const tracking = new Tracking().says('Online', 'Down', 'Down').unable().says('Hibernating', 'Online');
    tracking.step({ kind: 'codes', codes: [{ ...told('Online'), code: 6 }], interval: 15_000 });
    const samples = samplesOf(tracking);
    for (const { metric, labels, value } of samples) {
      expect(trackerMetrics).toContain(metric);
      expect(Object.keys(labels)).toEqual(metric.labels);
      expect(value).toBeGreaterThanOrEqual(0);
    }
    expect(new Set(samples.map(({ metric }) => metric))).toEqual(new Set(trackerMetrics));
  });

  it('have no series twice', () => {
    const tracking = new Tracking();
    tracking.answer([told('Online'), told('Online', { replica: '2' }), told('Online', { service: 'GSE' })]);
    const keys = samplesOf(tracking).map(({ metric, labels }) => JSON.stringify([metric.name, labels]));
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('are none of any service before the first answer', () => {
    expect(samplesOf(new Tracking()).map(({ metric, value }) => [metric.name, value])).toEqual([
      ['graphdb_services_untracked', 0],
    ]);
  });

  it('say since when it is so, while it is observed', () => {
    const tracking = new Tracking().says('Online', 'Online', 'Down');
    const name = 'graphdb_service_state_since_timestamp_seconds';
    expect(tracking.shown(name)).toBe((start + 15_000) / 1000);
    expect(tracking.unable().shown(name)).toBeUndefined();
  });

  it('count every status that a transition may lead to from the beginning', () => {
    const transitions = samplesOf(new Tracking().says('Online')).filter(({ metric }) => metric.type === 'counter');
    const counts = transitions.flatMap(({ labels, value }) => ('to' in labels ? [[labels.to, value]] : []));
    const statuses = Object.keys(serviceStatusCodes).filter((status) => status !== 'StatusUnchanged');
    const zeros = [...statuses, 'unrecognised', 'absent', 'unobserved'].map((to) => [to, to === 'Online' ? 1 : 0]);
    expect(counts).toEqual(zeros);
  });

  it('say how many replicas of a partition are online, while one of them is observed', () => {
    const tracking = new Tracking();
    const states = [told('Online'), told('Down', { replica: '2' })];
    tracking.answer(states);
    expect(tracking.shown('graphdb_partition_online_replicas', partition)).toBeUndefined();
    tracking.answer(states);
    expect(tracking.shown('graphdb_partition_online_replicas', partition)).toBe(1);
    expect(tracking.shown('graphdb_partition_replicas', partition)).toBe(2);
    tracking.unable();
    expect(tracking.shown('graphdb_partition_online_replicas', partition)).toBeUndefined();
    expect(tracking.shown('graphdb_partition_replicas', partition)).toBe(2);
    tracking.answer(states);
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
    expect(destinationOf(status)).toBe(to);
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
    expect(isUnheardOf(status)).toBe(unheard);
  });
});
