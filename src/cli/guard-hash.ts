import type { GuardSettings } from '../guard/policy.ts';
import type { Digest } from '../kernel/digest.ts';

/** Tells one guard section from another, whatever their policies are called. */
export function guardHash(guard: GuardSettings, digest: Digest): string {
  return digest.sha256(JSON.stringify(guard));
}
