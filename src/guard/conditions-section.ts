import { z } from 'zod';
import {
  type Conditions,
  conditionList,
  givenConditions,
  type Protection,
  protectingConditions,
} from './conditions/all.ts';
import type { ListedCondition } from './conditions/condition.ts';

/** Conditions on a query, all of which must hold: the section `when` of a policy. */
export const conditionsSection = section('is empty, which would match every query; add a condition').describe(
  'Conditions on the query, all of which must hold. A condition on a property that the server does not list is false.',
);

/** Conditions that exempt a query: the section `unless` of a policy. */
export const exceptionSection = section('is empty, which would exempt every query; remove the key').describe(
  'Conditions that exempt a query if all of them hold. A condition on a property that the server does not list counts as true.',
);

function section(emptyMessage: string) {
  return z.strictObject(fieldsOf(conditionList)).transform((given, context): Conditions => {
    const conditions = toConditions(given, conditionList);
    if (Object.keys(conditions).length > 0) return conditions;
    context.issues.push({ code: 'custom', message: emptyMessage, input: '' });
    return z.NEVER;
  });
}

/** Queries that no policy aborts. */
export const protectionSection = z
  .strictObject(fieldsOf(protectingConditions))
  .transform((given, context): Protection => {
    const protection: Protection = toConditions(given, protectingConditions);
    const isAll = [...givenConditions(protection)].every(
      ({ condition, value }) => condition.isAlwaysTrue?.(value) === true,
    );
    if (!isAll) return protection;
    const isEmpty = Object.keys(protection).length === 0;
    context.issues.push({
      code: 'custom',
      message: isEmpty ? 'is empty, which would protect every query' : 'protects every query',
      params: { hint: 'to abort nothing, set guard.mode: observe' },
      input: '',
    });
    return z.NEVER;
  });

function fieldsOf(conditions: readonly ListedCondition[]): Readonly<Record<string, z.ZodType>> {
  return Object.fromEntries(conditions.map(({ condition: { name, field } }) => [name, field]));
}

/** Returns the conditions that are given, by their keys; keys that differ from the configured names come last. */
function toConditions(given: Readonly<Record<string, unknown>>, conditions: readonly ListedCondition[]): Conditions;
function toConditions(given: Readonly<Record<string, unknown>>, conditions: readonly ListedCondition[]): object {
  const present = conditions.filter(({ condition }) => given[condition.name] !== undefined);
  const inOrder = [
    ...present.filter(({ key, condition }) => key === condition.name),
    ...present.filter(({ key, condition }) => key !== condition.name),
  ];
  return Object.fromEntries(inOrder.map(({ key, condition }) => [key, given[condition.name]]));
}
