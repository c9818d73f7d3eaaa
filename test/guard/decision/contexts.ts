import { protectionTest } from '../../../src/guard/conditions.ts';
import type { Context } from '../../../src/guard/decision/state.ts';
import { createMatcher } from '../../../src/guard/matcher.ts';
import type { GuardSettings } from '../../../src/guard/policy.ts';
import type { Instant } from '../../../src/kernel/time.ts';

/** What a step goes by, at an instant. */
export function contextOf(settings: GuardSettings, now: Instant): Context {
  return {
    cluster: 'prod',
    settings,
    ways: settings.policies.map(({ confirm }) => confirm),
    clauses: settings.policies.flatMap(({ gate }) => gate?.clauses ?? []),
    matcher: createMatcher(settings, 'prod'),
    isProtected: protectionTest(settings.protect),
    interval: 5000,
    now,
  };
}
