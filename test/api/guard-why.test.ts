import { queryExplanationSchema } from '../../src/api/guard-why.ts';
import { describeObject, exampleOf } from './object-cases.ts';

const { policies } = queryExplanationSchema.parse(exampleOf(queryExplanationSchema));
const [policy] = policies;
const withCondition = (change: Readonly<Record<string, unknown>>) => ({
  policies: [{ ...policy, conditions: [{ ...policy?.conditions[0], ...change }] }],
});

describeObject('explanation of a query', queryExplanationSchema, [
  { listing: 'perhaps' },
  { id: '' },
  { asOf: 'now' },
  { policies: [{ ...policy, mode: 'sometimes' }] },
  { policies: [{ ...policy, matches: 'yes' }] },
  withCondition({ section: 'else' }),
  withCondition({ holds: 'maybe' }),
  withCondition({ wanted: 7 }),
  { aborts: [{}] },
]);
