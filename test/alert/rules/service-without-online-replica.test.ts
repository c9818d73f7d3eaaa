import { expect, it } from 'vitest';
import { serviceWithoutOnlineReplica as rule } from '../../../src/alert/rules/service-without-online-replica.ts';
import { findings, partition, replica, situationWith } from './rule-fixtures.ts';

const second = partition({ partition: '2', online: 0 });

it.each([
  ['all partitions down', [partition({ online: 0 }), second], 1],
  ['one partition up', [partition({ online: 1 }), second], 0],
  ['a single partition, which has a rule of its own', [second], 0],
  ['unknown partitions', [partition({ online: undefined }), second], 0],
])('service_without_online_replica › has findings ($2) with $0', (_, partitions, count) => {
  expect(findings(rule, situationWith({}, { partitions, replicas: [replica()] }))).toHaveLength(count);
});

it('service_without_online_replica › ignores services whose partitions are hosts', () => {
  const partitions = [partition({ online: 0 }), second];
  expect(findings(rule, situationWith({}, { partitions, replicas: [replica({ replica: '' })] }))).toEqual([]);
});
