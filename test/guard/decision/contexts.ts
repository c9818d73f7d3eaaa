import { compileProtection } from '../../../src/guard/conditions.ts';
import type { StepContext } from '../../../src/guard/decision/state.ts';
import { createMatcher } from '../../../src/guard/matcher.ts';
import type { GuardSettings } from '../../../src/guard/policy.ts';
import type { Instant } from '../../../src/kernel/time.ts';

/** What a step goes by, at an instant. */
export function stepContextOf(settings: GuardSettings, now: Instant): StepContext {
  return {
    cluster: 'prod',
    settings,
    policies: settings.policies,
    confirmSettings: settings.policies.map(({ confirm }) => confirm),
    gateClauses: settings.policies.flatMap(({ gate }) => gate?.clauses ?? []),
    matcher: createMatcher(settings, 'prod'),
    isProtected: compileProtection(settings.protect),
    interval: 5000,
    now,
  };
}
