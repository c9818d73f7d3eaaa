import { z } from 'zod';
import type { Candidate } from '../candidate.ts';
import { compileConditions } from '../conditions.ts';
import type { Patterns } from '../pattern.ts';
import { formatPattern } from '../pattern.ts';
import type { Policy } from '../policy.ts';
import type { Observation } from '../process-list.ts';

/** What a policy asks of one parameter, as configurations write it. Recordings hold its truth, never a value. */
export const paramConditionSchema = z.strictObject({
  param: z.string().max(1000),
  patterns: z.array(z.string().max(1000)).min(1).max(1000).readonly(),
});

/** One of {@link paramConditionSchema}. */
export type ParamCondition = Readonly<z.infer<typeof paramConditionSchema>>;

/** Answers which of the clauses a query meets, as one digit for each of them: `101`. */
export type ParamConditionTest = (observation: Observation) => string;

/** All that policies ask of parameters, each thing once. */
export function paramConditionsOf(policies: readonly Pick<Policy, 'when'>[]): readonly ParamCondition[] {
  const all = policies.flatMap(({ when }) => toParamConditions(when.params));
  return [...new Map(all.map((clause) => [paramConditionKey(clause), clause])).values()];
}

/** What one policy asks of parameters. */
export function toParamConditions(params: Readonly<Record<string, Patterns>> = {}): readonly ParamCondition[] {
  return Object.entries(params).map(toParamCondition);
}

function toParamCondition([param, patterns]: readonly [string, Patterns]): ParamCondition {
  return { param, patterns: patterns.map(formatPattern) };
}

/** Returns the key of a clause. Clauses with the same text are equal. */
export function paramConditionKey({ param, patterns }: ParamCondition): string {
  return JSON.stringify([param, ...patterns]);
}

/** Compiles the clauses of policies, in the order of {@link paramConditionsOf}: what the guard itself would say. */
export function compileParamConditions(policies: readonly Pick<Policy, 'when'>[]): ParamConditionTest {
  const tests = new Map<string, (candidate: Candidate) => boolean>();
  for (const { when } of policies) {
    for (const [param, patterns] of Object.entries(when.params ?? {})) {
      tests.set(
        paramConditionKey(toParamCondition([param, patterns])),
        compileConditions({ params: { [param]: patterns } }).matchesStatic,
      );
    }
  }
  const inOrder = [...tests.values()];
  return (observation) => {
    const candidate: Candidate = { node: '', observation, at: 0, age: { least: 0, most: 0 } };
    return inOrder.map((test) => (test(candidate) ? '1' : '0')).join('');
  };
}
