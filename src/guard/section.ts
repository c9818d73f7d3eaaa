import { z } from 'zod';
import { durationField } from '../graphdb/duration-field.ts';
import { protectionSection } from './conditions-section.ts';
import type { GuardSettings } from './policy.ts';
import { modeField, policySection } from './policy-section.ts';

const budgetsSection = z
  .strictObject({
    per_node: budgetSection(3).describe('On one node.'),
    per_cluster: budgetSection(6).describe('In one cluster; not with `scope: node`.'),
  })
  .prefault({})
  .describe('How many aborts all policies together may try: there has to be room in both.');

const breakersSection = z
  .strictObject({
    same_query: z
      .strictObject({ aborts: abortsField(3), within: durationField.prefault('15m').describe('In which period.') })
      .prefault({})
      .describe('Stops aborting a query of which so many were aborted: its clients try again.'),
    no_relief: z
      .strictObject({ aborts: abortsField(2) })
      .prefault({})
      .describe('Stops a policy with a gate after so many aborts in a row that did not relieve the pressure.'),
  })
  .prefault({})
  .describe('When the guard stops and calls a person; what it stopped stays so until an operator resets it.');

/** The `guard` section of the configuration. */
export const guardSection = z
  .strictObject({
    mode: modeField.describe('`observe`: no query is ever aborted, whatever the policies say.'),
    protect: z
      .array(protectionSection)
      .prefault([])
      .describe('Queries that no policy aborts, in no cluster: one entry that matches is enough.'),
    budgets: budgetsSection,
    breakers: breakersSection,
    policies: z
      .array(policySection)
      .prefault([])
      .describe('What is aborted: the first policy that matches owns a query.'),
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
      max: z.int().min(1).max(1000).prefault(max).describe('How many, at most.'),
      within: durationField.prefault('10m').describe('In any period of this length.'),
    })
    .prefault({});
}

function abortsField(count: number) {
  return z.int().min(1).max(1000).prefault(count).describe('How many it takes.');
}
