import { age } from './age.ts';
import { ageShare } from './age-share.ts';
import type { ListedCondition, PolicyCondition } from './condition.ts';
import { grantedTimeout } from './granted-timeout.ts';
import { graph } from './graph.ts';
import { method } from './method.ts';
import { node } from './node.ts';
import { params } from './params.ts';
import { query } from './query.ts';
import { remaining } from './remaining.ts';

/** All conditions, by their keys in the validated settings, in the order of the documents. */
const conditions = {
  node,
  graph,
  query,
  method,
  params,
  age,
  grantedTimeout,
  remaining,
  ageShare,
};

type ConditionKey = keyof typeof conditions;
type ConditionValue<Key extends ConditionKey> =
  (typeof conditions)[Key] extends PolicyCondition<infer Value> ? Value : never;

/** Conditions on one entry of a process list, at least one; all of them must hold. */
export type Conditions = { readonly [Key in ConditionKey]?: ConditionValue<Key> };

/** Entry of `protect`: at least one condition. It protects a query if all of them hold, or may hold. */
export type Protection = Pick<Conditions, 'node' | 'graph' | 'query' | 'params'>;

/** All conditions with their keys, in the order of the documents. */
export const conditionList: readonly ListedCondition[] = Object.entries(conditions).map(([key, condition]) => ({
  key,
  condition,
}));

/** The conditions that `protect` takes. */
export const protectingConditions: readonly ListedCondition[] = conditionList.filter(
  ({ condition }) => condition.canProtect,
);

/** A condition that a policy sets, with its value. */
export interface GivenCondition extends ListedCondition {
  readonly value: unknown;
}

/** Yields the conditions that are set, in the order of the documents. */
export function* givenConditions(when: Conditions): Generator<GivenCondition> {
  const values = new Map<string, unknown>(Object.entries(when));
  for (const one of conditionList) {
    const value = values.get(one.key);
    if (value !== undefined) yield { ...one, value };
  }
}
