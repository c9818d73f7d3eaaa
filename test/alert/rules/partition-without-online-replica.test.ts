import { expect, it } from 'vitest';
import { partitionWithoutOnlineReplica as rule } from '../../../src/alert/rules/partition-without-online-replica.ts';
import type { PartitionView } from '../../../src/model/transition.ts';
import { findings, partition, replica, situationWith } from './rule-fixtures.ts';

it.each([
  ['no online replica', partition({ online: 0 }), 1],
  ['one online replica', partition({ online: 1 }), 0],
  ['an unknown number of online replicas', partition({ online: undefined }), 0],
  ['no replicas', partition({ online: 0, replicas: 0 }), 0],
] satisfies readonly (readonly [string, PartitionView, number])[])(
  'partition_without_online_replica › has findings ($2) with $0',
  (_, one, count) => {
    expect(findings(rule, situationWith({}, { partitions: [one], replicas: [replica()] }))).toHaveLength(count);
  },
);

it('partition_without_online_replica › names the partition as the tools of the server do', () => {
  const situation = situationWith({}, { partitions: [partition({ online: 0 })], replicas: [replica()] });
  expect(findings(rule, situation)).toEqual([
    { labels: { service_name: 'GPE', partition: '1' }, facts: { instance: 'GPE_1', replicas: '2' } },
  ]);
});

it('partition_without_online_replica › does not report services without replicas: their number names a host, whose loss has its own rule', () => {
  const executor = { service: 'EXE', partition: '3' };
  const situation = situationWith(
    {},
    {
      partitions: [partition({ ...executor, replicas: 1, online: 0 })],
      replicas: [replica({ ...executor, replica: '' })],
    },
  );
  expect(findings(rule, situation)).toEqual([]);
});
