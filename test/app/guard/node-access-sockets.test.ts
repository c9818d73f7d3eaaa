import { expect, it } from 'vitest';
import { hasGuardSockets } from '../../../src/app/guard/node-access.ts';
import { clusterOf } from '../fakes.ts';
import { guardOf, runaway } from './guard-fixture.ts';

const prod = clusterOf('prod', ['m1']);
const withAuth = { ...prod, abortAuth: { kind: 'bearer', token: { file: 'token' } } } as const;

it.each([
  ['no policy', prod, {}, false],
  ['a policy for all', prod, { policies: [runaway] }, true],
  ['a policy for it', prod, { policies: [{ ...runaway, clusters: ['prod'] }] }, true],
  ['a policy for another', prod, { policies: [{ ...runaway, clusters: ['test'] }] }, false],
  ['a credential for aborts', withAuth, {}, true],
] as const)('hasGuardSockets evaluates %s', (_, cluster, guard, wanted) => {
  expect(hasGuardSockets(cluster, guardOf(guard))).toBe(wanted);
});
