import type { GuardSettings } from '../guard/policy.ts';
import type { ClusterSettings } from '../model/settings.ts';

/**
 * Whether two of the sockets to each node of a cluster are kept for lists and aborts: where a policy concerns it, be it
 * one that observes, or where a credential for aborts says that somebody means to. Nothing is aborted elsewhere.
 */
export function isGuarded(
  { name, abortAuth }: Pick<ClusterSettings, 'name' | 'abortAuth'>,
  { policies }: Pick<GuardSettings, 'policies'>,
): boolean {
  const isMeant = policies.some(({ clusters }) => clusters === undefined || clusters.includes(name));
  return isMeant || abortAuth.kind !== 'none';
}
