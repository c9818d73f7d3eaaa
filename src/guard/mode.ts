import type { GuardSettings, Mode, Policy } from './policy.ts';

/** What a policy comes to: the safer of its own mode and the guard's. */
export function effectiveMode(guard: Pick<GuardSettings, 'mode'>, policy: Pick<Policy, 'mode'>): Mode {
  return guard.mode === 'enforce' && policy.mode === 'enforce' ? 'enforce' : 'observe';
}
