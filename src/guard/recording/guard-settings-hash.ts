import type { Digest } from '../../kernel/system.ts';
import type { GuardSettings } from '../policy.ts';

/** Returns the hash of a guard section, which identifies it in a recording. */
export function guardSettingsHash(guard: GuardSettings, digest: Digest): string {
  return digest.sha256(JSON.stringify(guard));
}
