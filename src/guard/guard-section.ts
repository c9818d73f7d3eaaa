import { z } from 'zod';
import { durationField, durationFieldFrom, sizeField } from '../graphdb/settings-fields.ts';
import { protectionSection } from './conditions-section.ts';
import type { BreakerSettings, BudgetSettings } from './policy.ts';
import { modeField, policySection } from './policy-section.ts';

/** Period of a maximum. With `10ms` instead of `10m`, the maximum would limit nothing. */
const periodField = durationFieldFrom(1000);

/** Budgets of all policies together. */
export const budgetsField = z
  .strictObject({
    per_node: budgetSection(3).describe('Budget of each node.'),
    per_cluster: budgetSection(6).describe('Budget of each cluster; not used with `scope: node`.'),
  })
  .transform((given): BudgetSettings => ({ perNode: given.per_node, perCluster: given.per_cluster }))
  .prefault({})
  .describe('Budgets: maximum number of aborts of all policies together. An abort must be within both budgets.');

/** Circuit breakers. */
export const breakersField = z
  .strictObject({
    same_query: z
      .strictObject({
        aborts: abortsField(3),
        within: periodField.prefault('15m').describe('Period in which aborts are counted, at least 1s.'),
      })
      .prefault({})
      .describe('Stops aborts of one query (graph and name) after this many, because its clients retry.'),
    no_relief: z
      .strictObject({ aborts: abortsField(2) })
      .prefault({})
      .describe('Stops a policy with a gate after this many aborts in a row that did not reduce the pressure.'),
  })
  .transform((given): BreakerSettings => ({ sameQuery: given.same_query, noRelief: given.no_relief }))
  .prefault({})
  .describe(
    'Circuit breakers. An open circuit breaker fires a critical alert and stays open until an operator resets it.',
  );

/** Minimum size of the recordings: a smaller one could not hold a large process list. */
const minRecordingSize = 2 ** 20;

const recordingSection = z
  .strictObject({
    enabled: z
      .boolean()
      .prefault(true)
      .describe(
        'Whether the daemon records process lists and gate values, in `state_dir/recordings`; only clusters with policies are recorded.',
      ),
    max_size: sizeField(minRecordingSize)
      .prefault('64MiB')
      .describe(
        'Maximum size of all files; a quarter is reserved for the lists around aborts. The oldest files are removed first.',
      ),
    max_age: durationField.prefault('24h').describe('Maximum age of a file, except for the lists around aborts.'),
  })
  .transform(({ enabled, max_size: maxSize, max_age: maxAge }) => ({ enabled, maxSize, maxAge }))
  .prefault({})
  .describe('Recording of redacted process lists and gate values, for `guard replay --last`.');

/** Queries that no policy aborts. */
export const protectField = z.array(protectionSection).prefault([]);

/** The `guard` section of the configuration. */
export const guardSection = z
  .strictObject({
    mode: modeField.describe(
      '`observe`: the guard aborts no query, regardless of the mode of its policies. `enforce`: policies with `mode: enforce` abort queries.',
    ),
    protect: protectField.describe('Queries that no policy aborts, in any cluster. One matching entry is enough.'),
    budgets: budgetsField,
    breakers: breakersField,
    recording: recordingSection,
    policies: z
      .array(policySection)
      .prefault([])
      .describe(
        'Policies, in order. The first enforcing policy that matches a query applies to it, or else the first observing one.',
      ),
  })
  .prefault({});

function budgetSection(max: number) {
  return z
    .strictObject({
      max: z.int().min(1).max(1000).prefault(max).describe('Maximum number of aborts.'),
      within: periodField.prefault('10m').describe('Length of the period, at least 1s.'),
    })
    .prefault({});
}

function abortsField(count: number) {
  return z.int().min(1).max(1000).prefault(count).describe('Number of aborts that opens the circuit breaker.');
}
