import { expect, it } from 'vitest';
import { alertName, identityKeyOf } from '../../src/alert/active-alert.ts';

it.each([
  ['node_unreachable', 'cluster', 'GraphdbNodeUnreachable'],
  ['delivery_failing', 'self', 'GraphwardenDeliveryFailing'],
  ['watchdog', 'self', 'GraphwardenWatchdog'],
] as const)('%s of a %s is %s', (name, scope, expected) => {
  expect(alertName({ name, scope })).toBe(expected);
});

it('the identity of an alert does not depend on the order of its labels', () => {
  const one = identityKeyOf('prod', 'r', 'warning', { a: '1', b: '2' });
  expect(identityKeyOf('prod', 'r', 'warning', { b: '2', a: '1' })).toBe(one);
});

it('the identity of an alert differs if any label differs', () => {
  const keys = [
    identityKeyOf('prod', 'r', 'warning', { a: '1' }),
    identityKeyOf('test', 'r', 'warning', { a: '1' }),
    identityKeyOf('prod', 's', 'warning', { a: '1' }),
    identityKeyOf('prod', 'r', 'critical', { a: '1' }),
    identityKeyOf('prod', 'r', 'warning', { a: '2' }),
    identityKeyOf('prod', 'r', 'warning', { b: '1' }),
    identityKeyOf('prod', 'r', 'warning', {}),
  ];
  expect(new Set(keys).size).toBe(keys.length);
});
