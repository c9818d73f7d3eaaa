import { effectiveMode } from '../guard/mode.ts';
import type { GuardSettings } from '../guard/policy.ts';

/** Names of the policies that are to abort queries, which this version does not do. */
export function enforcing(guard: GuardSettings): readonly string[] {
  return guard.policies.filter((policy) => effectiveMode(guard, policy) === 'enforce').map(({ name }) => name);
}

/** The sentence for whoever checks or explains such a configuration; undefined where it asks for nothing of the kind. */
export function observedOnly(guard: GuardSettings): string | undefined {
  const names = enforcing(guard);
  if (names.length === 0) return undefined;
  const [verb, mode] = names.length === 1 ? ['says', 'is'] : ['say', 'are'];
  return `this version aborts nothing: ${names.join(', ')} ${verb} enforce and ${mode} observed`;
}
