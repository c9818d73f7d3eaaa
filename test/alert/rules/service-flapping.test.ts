import { expect, it } from 'vitest';
import { serviceFlapping } from '../../../src/alert/rules/service-flapping.ts';
import { findings, firingIdentities, replica, situationWith } from './rule-fixtures.ts';

it('service_flapping › fires for flapping instances only', () => {
  const replicas = [replica({ flapping: true, confirmed: 'Down' }), replica({ replica: '3' })];
  expect(firingIdentities(serviceFlapping, situationWith({}, { replicas }))).toEqual(['GPE 1 2']);
  expect(findings(serviceFlapping, situationWith({}, { replicas }))[0]?.facts).toEqual({
    instance: 'GPE_1#2',
    status: 'Down',
  });
});
