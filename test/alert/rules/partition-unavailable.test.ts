import { expect, it } from 'vitest';
import { partitionUnavailable as rule } from '../../../src/alert/rules/partition-unavailable.ts';
import { findings, partition, replica, situationWith } from './rule-fixtures.ts';

function found(unavailableRatio: number, outages: number, numbered = true, others = 0) {
  const recent = { unavailableRatio, outages };
  const more = Array.from({ length: others }, (_, at) => partition({ partition: `${at + 2}` }));
  const replicas = [replica(numbered ? {} : { replica: '' })];
  return findings(rule, situationWith({}, { partitions: [partition({ recent }), ...more], replicas }));
}

it.each([
  ['fires at the share', 0.2, 2, 1],
  ['does not fire below the share', 0.199, 12, 0],
  ['does not fire for a single outage, which has a rule of its own', 0.9, 1, 0],
])('partition_unavailable › %s', (_, share, outages, count) => {
  expect(found(share, outages)).toHaveLength(count);
});

it('partition_unavailable › does not fire without an observation', () => {
  expect(findings(rule, situationWith({}, { partitions: [partition()], replicas: [replica()] }))).toEqual([]);
});

it('partition_unavailable › is a warning if another instance of the service can take over', () => {
  expect(found(0.5, 3, false, 1)).toMatchObject([{ severity: 'warning' }]);
  expect(found(0.5, 3, false, 0)[0]?.severity).toBeUndefined();
  expect(found(0.5, 3, true, 1)[0]?.severity).toBeUndefined();
});

it('partition_unavailable › states the share and the number of outages', () => {
  expect(found(0.5, 3)[0]?.facts).toMatchObject({ instance: 'GPE_1', share: '50 %', outages: '3 outages' });
});
