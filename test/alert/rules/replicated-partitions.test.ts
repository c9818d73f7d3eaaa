import { expect, it } from 'vitest';
import { replicatedPartitions } from '../../../src/alert/rules/replicated-partitions.ts';
import { partition, replica, situationWith } from './rule-fixtures.ts';

it('are the observed partitions of services whose replicas have numbers', () => {
  const host = { service: 'NGINX', partition: '1' };
  const partitions = [partition({ online: 1 }), partition({ partition: '2', online: undefined }), partition(host)];
  const replicas = [replica(), replica({ ...host, replica: '' })];
  expect(replicatedPartitions(situationWith({}, { partitions, replicas }))).toEqual([partitions[0]]);
});
