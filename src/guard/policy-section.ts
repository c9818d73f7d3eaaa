import { z } from 'zod';
import { durationField, holdField } from '../graphdb/duration-field.ts';
import { conditionsSection } from './conditions-section.ts';
import { gateSection } from './gate-section.ts';
import { groupSection } from './group-section.ts';
import { leavesOutOrdinaryQueries } from './narrowing.ts';
import type { Policy } from './policy.ts';
import { windowSection } from './window-section.ts';

/** What `mode` may be, of the guard and of each policy. */
export const modeField = z.enum(['observe', 'enforce']).prefault('observe');

const victimsSection = z
  .strictObject({
    pick: z.enum(['oldest', 'newest']).prefault('oldest').describe('Which of those that match come first.'),
    max: z.int().min(1).max(100).prefault(1).describe('How many at a time: of each group, or else of each node.'),
  })
  .prefault({})
  .describe('Which of several queries that match are aborted.');

const confirmSection = z
  .strictObject({
    sightings: z
      .int()
      .min(2)
      .max(20)
      .prefault(2)
      .describe('How often the very same query has to have been listed before anything is done.'),
    apart: durationField
      .refine((length) => length >= 1000, { error: 'must be at least 1s' })
      .prefault('5s')
      .describe('How far apart these lists are to be, less 10 %.'),
  })
  .prefault({})
  .describe('What makes sure that a query is the one it was taken for.');

/** Names end up in labels, in the audit and in commands. */
const nameField = z
  .string()
  .regex(/^[A-Za-z0-9][\w.-]{0,62}$/, {
    error: 'must be 1 to 63 letters, digits, dots, dashes or underscores, and begin with a letter or digit',
  })
  .describe('The `policy` label, unique among the policies.')
  .meta({ examples: ['runaway-adhoc'] });

const policyFields = {
  name: nameField,
  mode: modeField.describe(
    '`observe`: only tell what would be done. It aborts where `guard.mode` says `enforce` as well.',
  ),
  clusters: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe('Names of the clusters that it is for; required where several are configured.')
    .meta({ examples: [['prod']] }),
  when: conditionsSection,
  gate: gateSection.optional(),
  active: windowSection.optional(),
  group: groupSection.optional(),
  victims: victimsSection,
  confirm: confirmSection,
  grace: holdField.prefault('30s').describe('How long it has to go on matching before it is aborted.'),
  cooldown: holdField.prefault('60s').describe('How long the policy rests on a node after each attempt.'),
  notify: z
    .array(z.string().min(1))
    .prefault([])
    .describe('Names of receivers that are told of each abort beforehand.')
    .meta({ examples: [['oncall']] }),
};

/** One entry of `guard.policies`; what it has to do with clusters and receivers is checked over the whole file. */
export const policySection = z.strictObject(policyFields).transform((given, context): Policy => {
  const { clusters, gate, active, group, ...rest } = given;
  if (!leavesOutOrdinaryQueries(rest.when, rest.confirm)) {
    context.issues.push({
      code: 'custom',
      message: 'could abort everything: it leaves out no ordinary query',
      path: ['when'],
      params: { hint: 'ask for a graph, a query or an age as well, such as age: "> 10m"' },
      input: '',
    });
    return z.NEVER;
  }
  return {
    ...rest,
    ...(clusters === undefined ? {} : { clusters }),
    ...(gate === undefined ? {} : { gate }),
    ...(active === undefined ? {} : { active }),
    ...(group === undefined ? {} : { group }),
  };
});
