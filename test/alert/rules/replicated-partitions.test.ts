import { expect, it } from 'vitest';
import { replicatedPartitions } from '../../../src/alert/rules/replicated-partitions.ts';
import { partition, replica, situationWith } from './rule-fixtures.ts';

it('replicated partitions › are the observed partitions of services whose replicas have numbers', () => {
  const host = { service: 'NGINX', partition: '1' };
  const partitions = [partition({ online: 1 }), partition({ partition: '2', online: undefined }), partition(host)];
  const replicas = [replica(), replica({ ...host, replica: '' })];
  expect(replicatedPartitions(situationWith({}, { partitions, replicas }))).toEqual([{ ...partitions[0], serving: 1 }]);
});

it.each([
  ['an online replica', 1, ['Online', 'Readonly'], 1],
  ['no online replica, and read-only ones', 0, ['Down', 'Readonly', 'Readonly'], 2],
  ['neither', 0, ['Down', 'Warmup'], 0],
] as const)('count the replicas that answer queries: %s', (_, online, statuses, serving) => {
  const replicas = statuses.map((observed, at) => replica({ replica: String(at + 1), observed }));
  const situation = situationWith({}, { partitions: [partition({ online })], replicas });
  expect(replicatedPartitions(situation).map((one) => one.serving)).toEqual([serving]);
});
