import { expect, it } from 'vitest';
import { endpointSchema, querySchema } from '../../src/api/queries.ts';
import { describeObject, exampleOf } from './object-cases.ts';

describeObject('query', querySchema, [
  { id: 7 },
  { id: '' },
  { asOf: 'soon' },
  { state: 'waiting' },
  { kind: 'new' },
  { overdue: 1 },
  { ageSeconds: '75' },
]);

describeObject('endpoint', endpointSchema, [{ completed: -1 }, { p99Seconds: '9' }, { path: 7 }, { asOf: 'soon' }]);

it('the schema accepts a delayed query without guard fields', () => {
  const delayed = {
    state: 'delayed',
    grantedTimeoutSeconds: null,
    remainingSeconds: null,
    policy: null,
    matchesAt: null,
    earliestAbortAt: null,
    protected: null,
  };
  expect(querySchema.parse({ ...exampleOf(querySchema), ...delayed })).toMatchObject(delayed);
});
