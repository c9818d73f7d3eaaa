import type { GuardSettings } from '../../src/guard/policy.ts';
import type { Millis } from '../../src/kernel/time.ts';
import type { Happening, NodePlan, PressurePlan, Spell } from './plan.ts';
import type { Draft } from './queries.ts';

/** What a kind adds to a scene. */
export interface Addition {
  readonly drafts?: readonly Draft[];
  readonly spells?: readonly Spell[];
  readonly happenings?: readonly Exclude<Happening, { kind: 'query' }>[];
  readonly pressures?: readonly PressurePlan[];
}

/** What there is before anything goes wrong. */
export interface Ground {
  readonly settings: GuardSettings;
  readonly nodes: readonly NodePlan[];
  readonly drafts: readonly Draft[];
  readonly length: Millis;
  /** When our process is there for the first time. */
  readonly begins: Millis;
}
