import { describe, expect, it } from 'vitest';
import { broadExemptions, shortWindows } from '../../src/config/guard-warnings.ts';
import { guardSection } from '../../src/guard/guard-section.ts';

/** Paths of the findings about a policy, or about an entry of `protect`. */
function pathsOf(policy: object, protect: readonly object[] = []): readonly string[] {
  const plain = { name: 'a', when: { age: '> 10m', query: 'a*' } };
  const guard = guardSection.parse({ policies: [{ ...plain, ...policy }], protect });
  return [...broadExemptions(guard), ...shortWindows(guard)].map(({ path }) => path.join('.'));
}

describe('warnings about the guard', () => {
  const params = { tenant: 'acme' };

  it.each<[object, readonly object[], readonly string[]]>([
    [{}, [{ params }], ['guard.protect.0.params']],
    [{}, [{ params, graph: 'fraud' }], ['guard.protect.0.params']],
    [{}, [{ query: 'b', params }], []],
    [{ unless: { params } }, [], ['guard.policies.0.unless.params']],
    [{ unless: { method: 'GET' } }, [], ['guard.policies.0.unless.method']],
    [{ unless: { method: 'GET', params } }, [], ['guard.policies.0.unless.method']],
    [{ unless: { method: 'GET', age: '< 1h' } }, [], []],
    [{ unless: { query: 'aa*', params } }, [], []],
  ])('find exemptions of more queries than they name: %j, %j', (policy, protect, expected) => {
    expect(pathsOf(policy, protect)).toEqual(expected);
  });

  const active = { from: '23:30', to: '00:30', tz: 'UTC' };

  it.each<[object, readonly string[]]>([
    [{ active, grace: '59m' }, []],
    [{ active, grace: '1h' }, ['guard.policies.0.active']],
    [{ active: { ...active, from: '00:00' }, grace: '30m' }, ['guard.policies.0.active']],
    [{ active: { tz: 'UTC', days: ['mon'] }, grace: '24h' }, []],
    [{ active: { from: '08:00', to: '08:00', tz: 'UTC' }, grace: '24h' }, []],
  ])('find hours that are shorter than the grace period: %j', (policy, expected) => {
    expect(pathsOf(policy)).toEqual(expected);
  });
});
