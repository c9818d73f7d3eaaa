import { expect, it } from 'vitest';
import { serviceReadonly } from '../../../src/alert/rules/service-readonly.ts';
import { findings, minute, replica, situationWith, wall } from './rule-fixtures.ts';

it('service_readonly › names the instance that rejects writes, and the start', () => {
  const replicas = [
    replica({ confirmed: 'Readonly', confirmedSince: wall - 5 * minute }),
    replica({ replica: '3', confirmed: 'Down' }),
  ];
  expect(findings(serviceReadonly, situationWith({}, { replicas }))).toEqual([
    {
      labels: { service_name: 'GPE', partition: '1', replica: '2' },
      facts: { instance: 'GPE_1#2', lasting: '5m' },
      since: wall - 5 * minute,
    },
  ]);
});

it('service_readonly › uses the confirmed status', () => {
  expect(findings(serviceReadonly, situationWith({}, { replicas: [replica({ observed: 'Readonly' })] }))).toEqual([]);
});
