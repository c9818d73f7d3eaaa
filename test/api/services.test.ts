import { describe, expect, it } from 'vitest';
import { availabilitySchema, forgetRequestSchema, serviceSchema, transitionSchema } from '../../src/api/services.ts';
import { describeObject, exampleOf } from './object-cases.ts';

describeObject('service', serviceSchema, [{ service: '' }, { since: 'yesterday' }, { flapping: 'yes' }]);

describeObject('transition', transitionSchema, [
  { at: 'now' },
  { service: 7 },
  { service: '' },
  { lastedSeconds: '7' },
]);

describeObject('availability', availabilitySchema, [
  { kind: 'service' },
  { availability: 1.1 },
  { availability: -0.1 },
  { outages: 0.5 },
]);

it('partition schema › accepts a partition without an observation', () => {
  const partition = { kind: 'partition', replica: null, availability: null, meanTimeToRecoverSeconds: null };
  expect(availabilitySchema.parse({ ...exampleOf(availabilitySchema), ...partition })).toMatchObject(partition);
});

describe('request to forget a service', () => {
  it('may omit partition and replica', () => {
    const request = { cluster: 'prod', service: 'ETCD' };
    expect(forgetRequestSchema.parse(request)).toEqual({ ...request, partition: '', replica: '' });
  });

  it.each([{}, { cluster: 'prod' }, { service: 'GPE' }, { cluster: '', service: 'GPE' }])('rejects %j', (request) => {
    expect(forgetRequestSchema.safeParse(request).success).toBe(false);
  });
});
