import type { Policy } from '../../src/guard/policy.ts';
import { policySection } from '../../src/guard/policy-section.ts';

/** A policy as it is written; what a test is about it says itself. */
export function policyOf(given: Readonly<Record<string, unknown>> = {}): Policy {
  return policySection.parse({ name: 'runaway', when: { age: '> 10m' }, ...given });
}
