import { expect, it } from 'vitest';
import { serviceReadonly } from '../../../src/alert/rules/service-readonly.ts';
import { minute, replica, situationWith, verdicts, wall } from './judging.ts';

it('names what takes no writes, and since when', () => {
  const replicas = [
    replica({ hard: 'Readonly', hardSince: wall - 5 * minute }),
    replica({ replica: '3', hard: 'Down' }),
  ];
  expect(verdicts(serviceReadonly, situationWith({}, { replicas }))).toEqual([
    {
      labels: { service_name: 'GPE', partition: '1', replica: '2' },
      facts: { instance: 'GPE_1#2', lasting: '5m' },
      since: wall - 5 * minute,
    },
  ]);
});

it('goes by what is confirmed', () => {
  expect(verdicts(serviceReadonly, situationWith({}, { replicas: [replica({ observed: 'Readonly' })] }))).toEqual([]);
});
