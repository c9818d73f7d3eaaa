import { z } from 'zod';
import type { Candidate } from '../candidate.ts';
import type { Conditions } from '../conditions/all.ts';
import { params } from '../conditions/params.ts';
import type { Patterns } from '../pattern.ts';
import { formatPattern } from '../pattern.ts';
import type { GuardSettings, Policy } from '../policy.ts';
import type { Observation } from '../process-list.ts';

/** Condition on one parameter, as the configuration writes it. Recordings store its result, never a value. */
export const paramConditionSchema = z.strictObject({
  param: z.string().max(1000),
  patterns: z.array(z.string().max(1000)).min(1).max(1000).readonly(),
});

/** One of {@link paramConditionSchema}. */
export type ParamCondition = Readonly<z.infer<typeof paramConditionSchema>>;

/** Returns the results of all clauses for a query, one character each: `1`, `0`, or `?` if the result is unknown. */
export type ParamConditionTest = (observation: Observation) => string;

type WithParams = Pick<Conditions, 'params'>;

/** Returns the sections of a cluster's policies, and of `protect`, that may have conditions on parameters. */
export function conditionSections(
  { protect }: Pick<GuardSettings, 'protect'>,
  policies: readonly Policy[],
): readonly WithParams[] {
  return [...policies.flatMap(({ when, unless = {} }) => [when, unless]), ...protect];
}

/** Returns the conditions on parameters in sections, without duplicates. */
export function paramConditionsOf(sections: readonly WithParams[]): readonly ParamCondition[] {
  const all = sections.flatMap(({ params: wanted }) => toParamConditions(wanted));
  return [...new Map(all.map((clause) => [paramConditionKey(clause), clause])).values()];
}

/** Returns the conditions of one section as clauses. */
export function toParamConditions(wanted: Readonly<Record<string, Patterns>> = {}): readonly ParamCondition[] {
  return Object.entries(wanted).map(toParamCondition);
}

function toParamCondition([param, patterns]: readonly [string, Patterns]): ParamCondition {
  return { param, patterns: patterns.map(formatPattern) };
}

/** Returns the key of a clause. Clauses with the same text are equal. */
export function paramConditionKey({ param, patterns }: ParamCondition): string {
  return JSON.stringify([param, ...patterns]);
}

/** Compiles the clauses of sections, in the order of {@link paramConditionsOf}, with the test of the guard. */
export function compileParamConditions(sections: readonly WithParams[]): ParamConditionTest {
  const tests = new Map<string, ReturnType<NonNullable<typeof params.test>>>();
  for (const { params: wanted = {} } of sections) {
    for (const [param, patterns] of Object.entries(wanted)) {
      const test = params.test?.({ [param]: patterns });
      if (test !== undefined) tests.set(paramConditionKey(toParamCondition([param, patterns])), test);
    }
  }
  const inOrder = [...tests.values()];
  return (observation) => {
    const candidate: Candidate = { node: '', observation, at: 0, age: { least: 0, most: 0 }, since: 0 };
    return inOrder.map((test) => resultCharacter(test(candidate))).join('');
  };
}

function resultCharacter(result: boolean | undefined): string {
  return result === undefined ? '?' : result ? '1' : '0';
}
