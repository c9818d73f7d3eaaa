import { givenConditions } from '../guard/conditions/all.ts';
import { formatDuration } from '../kernel/duration.ts';
import type { Millis } from '../kernel/time.ts';
import type { KeyPath, UnlocatedProblem } from '../model/config-problem.ts';
import type { Config } from './config.ts';

/** Conditions on properties that the server does not list for many queries, with the phrase for these queries. */
const oftenUnknown: Readonly<Record<string, string>> = {
  method: 'whose method the server does not list, which are all queries of most servers',
  params: 'without this parameter in the URL',
};

/**
 * Finds exemptions that exempt far more queries than they name, because a query is also exempt if the server does not list the
 * property: entries of `protect` with parameters of any query, and `unless` with nothing but such properties.
 */
export function broadExemptions({ protect, policies }: Config['guard']): readonly UnlocatedProblem[] {
  return [
    ...protect.flatMap(({ params, query }, at) =>
      params === undefined || query !== undefined ? [] : broadExemption(['guard', 'protect', at], 'params', 'protects'),
    ),
    ...policies.flatMap(({ unless = {} }, at) => {
      const given = [...givenConditions(unless)].map(({ condition }) => condition.name);
      const [first, ...others] = given.filter((name) => oftenUnknown[name] !== undefined);
      const isAll = first !== undefined && given.length === others.length + 1;
      return isAll ? broadExemption(['guard', 'policies', at, 'unless'], first, 'exempts') : [];
    }),
  ];
}

function broadExemption(path: KeyPath, name: string, verb: string): readonly UnlocatedProblem[] {
  const message = `also ${verb} all queries ${oftenUnknown[name] ?? ''}`;
  return [{ path: [...path, name], message, hint: 'name the query in the same entry' }];
}

const minute: Millis = 60_000;
const minutesPerDay = 24 * 60;

/** Finds policies whose hours end before a grace period that begins with them, so that they never abort a query. */
export function shortWindows({ policies }: Config['guard']): readonly UnlocatedProblem[] {
  return policies.flatMap(({ active, grace }, at) => {
    if (active === undefined) return [];
    const { from, to } = active;
    const length = to > from ? to - from : to - from + minutesPerDay;
    // Windows of a whole day adjoin.
    if (length === minutesPerDay || grace < length * minute) return [];
    const message = `never acts, because its hours last for ${formatDuration(length * minute)}, and its grace period for ${formatDuration(grace)}`;
    return [{ path: ['guard', 'policies', at, 'active'], message, hint: 'extend the hours, or shorten `grace`' }];
  });
}
