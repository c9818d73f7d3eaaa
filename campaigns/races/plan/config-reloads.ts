import type { GuardSettings, Policy } from '../../../src/guard/policy.ts';
import type { PlannedEvent } from './plan.ts';
import { settingsFor } from './policies.ts';
import type { BaseScenario, ScenarioAddition } from './queries.ts';
import type { RandomSource } from './random-source.ts';

/** Reloads the configuration once or several times, with few or with all settings changed. */
export function configReloads({ settings }: BaseScenario, draw: RandomSource): ScenarioAddition {
  const times = Array.from({ length: draw.between(1, 4) }, () => draw.between(2000, 110_000));
  let latest = settings;
  const events = times
    .toSorted((one, other) => one - other)
    .map((at): Exclude<PlannedEvent, { kind: 'query' }> => {
      latest = draw.chance(0.2) ? settings : changedSettings(latest, draw);
      return { at, kind: 'reload', settings: latest };
    });
  return { events };
}

function changedSettings(before: GuardSettings, draw: RandomSource): GuardSettings {
  const other = settingsFor('reloads', draw);
  const [first] = other.policies;
  const { policies } = before;
  const choices: readonly Partial<GuardSettings>[] = [
    {},
    other,
    { budgets: other.budgets },
    { breakers: other.breakers },
    { protect: other.protect },
    { mode: before.mode === 'enforce' ? 'observe' : 'enforce' },
    { policies: policies.toReversed() },
    { policies: policies.slice(1) },
    { policies: policies.map(otherMode) },
    { policies: policies.map((one) => ({ ...one, grace: draw.pick([0, 4000, 12_000]) })) },
    {
      policies: policies.map((one, index) => (index === 0 && first !== undefined ? { ...first, name: one.name } : one)),
    },
  ];
  return structuredClone({ ...before, ...draw.pick(choices) });
}

function otherMode(policy: Policy): Policy {
  return { ...policy, mode: policy.mode === 'enforce' ? 'observe' : 'enforce' };
}
