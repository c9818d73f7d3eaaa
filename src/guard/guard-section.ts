import { z } from 'zod';
import { durationField } from '../graphdb/settings-fields.ts';
import { protectionSection } from './conditions-section.ts';
import type { GuardSettings } from './policy.ts';
import { modeField, policySection } from './policy-section.ts';

const budgetsSection = z
  .strictObject({
    per_node: budgetSection(3).describe('On one node.'),
    per_cluster: budgetSection(6).describe('In one cluster; not with `scope: node`.'),
  })
  .prefault({})
  .describe('Budgets: maximum number of aborts of all policies together; an abort must fit in both.');

const breakersSection = z
  .strictObject({
    same_query: z
      .strictObject({
        aborts: abortsField(3),
        within: durationField.prefault('15m').describe('Period of the maximum.'),
      })
      .prefault({})
      .describe('Stops aborts of one query (graph and name) after this many, because its clients retry.'),
    no_relief: z
      .strictObject({ aborts: abortsField(2) })
      .prefault({})
      .describe('Stops a policy with a gate after this many aborts in a row that did not reduce the pressure.'),
  })
  .prefault({})
  .describe('Circuit breakers. An open circuit breaker stays open, and pages, until an operator resets it.');

/** The `guard` section of the configuration. */
export const guardSection = z
  .strictObject({
    mode: modeField.describe('`observe`: the guard aborts no query, whatever the mode of a policy.'),
    protect: z
      .array(protectionSection)
      .prefault([])
      .describe('Queries that no policy aborts, in any cluster. One matching entry is enough.'),
    budgets: budgetsSection,
    breakers: breakersSection,
    policies: z
      .array(policySection)
      .prefault([])
      .describe('Policies, in order. The first policy that matches a query owns it.'),
  })
  .transform(
    ({ budgets, breakers, ...rest }): GuardSettings => ({
      ...rest,
      budgets: { perNode: budgets.per_node, perCluster: budgets.per_cluster },
      breakers: { sameQuery: breakers.same_query, noRelief: breakers.no_relief },
    }),
  )
  .prefault({});

function budgetSection(max: number) {
  return z
    .strictObject({
      max: z.int().min(1).max(1000).prefault(max).describe('Maximum number of aborts.'),
      within: durationField.prefault('10m').describe('Length of the period.'),
    })
    .prefault({});
}

function abortsField(count: number) {
  return z.int().min(1).max(1000).prefault(count).describe('Number of aborts that opens the circuit breaker.');
}
