import { expect, it } from 'vitest';
import { replicaIdentity, replicaLabels } from '../../../src/alert/rules/replica-labels.ts';
import { replica } from './rule-fixtures.ts';

it('replica labels › are the labels of families about a service instance', () => {
  const { labels, facts } = replicaIdentity(replica());
  expect(labels).toEqual({ service_name: 'GPE', partition: '1', replica: '2' });
  expect(Object.keys(labels)).toEqual([...replicaLabels]);
  expect(facts).toEqual({ instance: 'GPE_1#2', status: 'Online' });
});
