import type { Digest } from '../../kernel/digest.ts';
import type { Policy } from '../policy.ts';

const digits = 12;

/** Tells whether a policy is still the one that an old row speaks of: the order in which its keys were written is all one. */
export function policyHash(policy: Policy, digest: Digest): string {
  return digest.sha256(JSON.stringify(policy, sorted)).slice(0, digits);
}

function sorted(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
