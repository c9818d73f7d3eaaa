import { z } from 'zod';
import {
  durationField,
  endTimeField,
  nonNegativeDurationField,
  startTimeField,
  timeZoneField,
  weekdays,
} from '../graphdb/settings-fields.ts';
import { countBound, durationBound, loadBound, waitBound } from './condition-fields.ts';
import { givenConditions } from './conditions/all.ts';
import { conditionsSection, exceptionSection } from './conditions-section.ts';
import {
  type ActiveWindow,
  type Gate,
  type GateClause,
  type GroupCondition,
  gateSources,
  type Policy,
  type VictimSettings,
} from './policy.ts';
import { excludesOrdinaryQueries, impliedBy, policyReach } from './policy-reach.ts';

const clauseSection = z
  .strictObject({
    for: durationField
      .describe(
        'Duration for which every value must meet the bound; at least two refresh periods of the value, which for memory and CPU are 2m.',
      )
      .meta({ examples: ['1m'] }),
    node_memory: loadBound.optional().describe("Used share of the node's memory."),
    node_cpu: loadBound.optional().describe("Used share of the node's CPU."),
    queue_depth: countBound
      .optional()
      .describe('Number of queries in the delay queue of the node.')
      .meta({ examples: ['> 20'] }),
    queue_oldest: waitBound.optional().describe('Time for which the oldest query in the delay queue has waited.'),
  })
  .transform((given, context): GateClause => {
    const clauses = gateSources.flatMap((source) => {
      const bound = given[source];
      return bound === undefined ? [] : [{ source, bound, for: given.for }];
    });
    const [clause] = clauses;
    if (clause !== undefined && clauses.length === 1) return clause;
    const message = `needs exactly one of ${gateSources.join(', ')}`;
    context.issues.push({ code: 'custom', message, input: '' });
    return z.NEVER;
  });

const clausesField = z.array(clauseSection).min(1).optional();

/** Section `gate` of a policy. */
export const gateSection = z
  .strictObject({
    any: clausesField.describe('Gates of which one must be open.'),
    all: clausesField.describe('Gates that must all be open.'),
  })
  .transform(({ any, all }, context): Gate => {
    if (any !== undefined && all === undefined) return { needs: 'any', clauses: any };
    if (all !== undefined && any === undefined) return { needs: 'all', clauses: all };
    context.issues.push({ code: 'custom', message: 'needs either any or all', input: '' });
    return z.NEVER;
  })
  .describe(
    'Pressure under which the policy acts. A stale value, or a value of an unknown node, keeps the gate closed.',
  );

/** Section `group` of a policy. */
export const groupSection = z
  .strictObject({
    by: z
      .array(z.enum(['node', 'graph', 'query']))
      .min(1)
      .prefault(['node', 'graph', 'query'])
      .describe('Properties by which queries are grouped.'),
    count: countBound.optional().describe('Number of matching queries in the group.'),
    oldest: durationBound
      .optional()
      .describe('Age of the oldest query in the group.')
      .meta({ examples: ['> 5m'] }),
    youngest: durationBound
      .optional()
      .describe('Age of the youngest query in the group.')
      .meta({ examples: ['> 1m'] }),
  })
  .transform(({ by, count, oldest, youngest }, context): GroupCondition => {
    if (count === undefined && oldest === undefined && youngest === undefined) {
      context.issues.push({ code: 'custom', message: 'needs count, oldest or youngest', input: '' });
      return z.NEVER;
    }
    return {
      by: [...new Set(by)],
      ...(count === undefined ? {} : { count }),
      ...(oldest === undefined ? {} : { oldest }),
      ...(youngest === undefined ? {} : { youngest }),
    };
  })
  .describe('Condition on groups of queries of the cluster that match `when`.');

const dayNames: readonly string[] = weekdays;
const dayName = `(?:${weekdays.join('|')})`;

/** Field for a day or a range of days, parsed to their numbers. */
const daysField = z
  .string()
  .regex(new RegExp(`^${dayName}(?:-${dayName})?$`), { error: 'is not a day or a range of days; write mon or mon-fri' })
  .transform((text) => {
    const [first = 0, last = first] = text.split('-').map((name) => dayNames.indexOf(name));
    const length = (last - first + weekdays.length) % weekdays.length;
    return Array.from({ length: length + 1 }, (_, at) => (first + at) % weekdays.length);
  });

/** Section `active` of a policy. */
export const windowSection = z
  .strictObject({
    days: z
      .array(daysField)
      .min(1)
      .prefault(['sun-sat'])
      .describe('Days on which the window begins.')
      .meta({ examples: [['mon-fri']] }),
    from: startTimeField.prefault('00:00').describe('Start of the window.'),
    to: endTimeField.prefault('24:00').describe('End of the window; on the next day if it is not after `from`.'),
    tz: timeZoneField,
  })
  .transform(
    ({ days, from, to, tz }): ActiveWindow => ({
      days: [...new Set(days.flat())].toSorted((one, other) => one - other),
      from,
      to,
      zone: tz,
    }),
  )
  .describe('Weekly window in which the policy acts. Omit it to act at any time.');

/** Field `mode` of the guard and of each policy. */
export const modeField = z.enum(['observe', 'enforce']).prefault('observe');

const victimsSection = z
  .strictObject({
    pick: z.enum(['oldest', 'newest']).prefault('oldest').describe('Order in which matching queries are aborted.'),
    keep: z
      .enum(['oldest'])
      .optional()
      .describe('`oldest`: never aborts the oldest matching query of a group, or else of a node.'),
    max: z
      .int()
      .min(1)
      .max(100)
      .prefault(1)
      .describe(
        'Maximum number of concurrent aborts, per group if the policy has a group condition, otherwise per node.',
      ),
  })
  .transform(({ keep, ...rest }): VictimSettings => (keep === undefined ? rest : { ...rest, keep }))
  .prefault({})
  .describe('Order and limit for several matching queries.');

const confirmSection = z
  .strictObject({
    observations: z
      .int()
      .min(2)
      .max(20)
      .prefault(2)
      .describe('Number of process lists in which the same query must be observed.'),
    apart: durationField
      .refine((length) => length >= 1000, { error: 'must be at least 1s' })
      .prefault('5s')
      .describe('Minimum time between these lists, with a tolerance of 10 %.'),
  })
  .prefault({})
  .describe('Confirmation: observations required before the guard acts.');

/** Field for the name of a policy, which labels, the audit and commands contain. */
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
    '`observe`: the policy only reports what it would abort. `enforce`: it aborts queries if `guard.mode` is `enforce` as well.',
  ),
  clusters: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe('Names of the clusters of the policy; required if several clusters are configured.')
    .meta({ examples: [['prod']] }),
  when: conditionsSection,
  unless: exceptionSection.optional(),
  gate: gateSection.optional(),
  active: windowSection.optional(),
  group: groupSection.optional(),
  victims: victimsSection,
  confirm: confirmSection,
  grace: nonNegativeDurationField
    .prefault('30s')
    .describe('Grace period: duration for which the query must continue to match before it is aborted.'),
  cooldown: nonNegativeDurationField.prefault('60s').describe('Cooldown of the policy on a node after each attempt.'),
  notify: z
    .array(z.string().min(1))
    .prefault([])
    .describe('Names of receivers that are notified before each abort.')
    .meta({ examples: [['oncall']] }),
};

/** Entry of `guard.policies`. References to clusters and receivers are checked over the whole file. */
export const policySection = z.strictObject(policyFields).transform((given, context): Policy => {
  const { clusters, unless, gate, active, group, ...rest } = given;
  const policy: Policy = {
    ...rest,
    ...(unless === undefined ? {} : { unless }),
    ...(clusters === undefined ? {} : { clusters }),
    ...(gate === undefined ? {} : { gate }),
    ...(active === undefined ? {} : { active }),
    ...(group === undefined ? {} : { group }),
  };
  const problem = policyProblem(policy);
  if (problem === undefined) return policy;
  context.issues.push({ code: 'custom', input: '', ...problem });
  return z.NEVER;
});

/** Returns why a policy is dangerous or useless; undefined if it is not. */
function policyProblem(policy: Policy) {
  const { when, unless, confirm } = policy;
  if (!excludesOrdinaryQueries(when, confirm)) {
    const hint = 'add a condition on the graph, the query or the age, such as age: "> 10m"';
    return {
      message: 'could abort every query: its conditions match all ordinary queries',
      path: ['when'],
      params: { hint },
    };
  }
  if (policyReach(policy) === undefined) {
    const hint = 'raise the upper bound, or lower the other bounds, confirm or grace';
    return {
      message:
        'never matches: no query can meet all conditions from its confirmation until the end of the grace period',
      path: ['when'],
      params: { hint },
    };
  }
  if (unless === undefined || !impliedBy(when)([...givenConditions(unless)])) return undefined;
  const hint = 'name fewer queries in `unless`, or remove the policy';
  return {
    message: 'exempts every query that `when` matches, so the policy never matches',
    path: ['unless'],
    params: { hint },
  };
}
