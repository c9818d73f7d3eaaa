import type { GuardSettings, Policy } from '../../src/guard/policy.ts';
import type { Draw } from './draw.ts';
import type { Addition, Ground } from './ground.ts';
import type { Happening } from './plan.ts';
import { settingsFor } from './policies.ts';

/** Somebody changes the configuration, once or again and again: a little of it, or all. */
export function reloads({ settings }: Ground, draw: Draw): Addition {
  const times = Array.from({ length: draw.between(1, 4) }, () => draw.between(2000, 110_000));
  let latest = settings;
  const happenings = times
    .toSorted((one, other) => one - other)
    .map((at): Exclude<Happening, { kind: 'query' }> => {
      latest = draw.chance(0.2) ? settings : changed(latest, draw);
      return { at, kind: 'reload', settings: latest };
    });
  return { happenings };
}

function changed(before: GuardSettings, draw: Draw): GuardSettings {
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
    { policies: policies.map((one) => ({ ...one, grace: draw.of([0, 4000, 12_000]) })) },
    {
      policies: policies.map((one, index) => (index === 0 && first !== undefined ? { ...first, name: one.name } : one)),
    },
  ];
  return structuredClone({ ...before, ...draw.of(choices) });
}

function otherMode(policy: Policy): Policy {
  return { ...policy, mode: policy.mode === 'enforce' ? 'observe' : 'enforce' };
}
