import { givenConditions } from '../guard/conditions/all.ts';
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
