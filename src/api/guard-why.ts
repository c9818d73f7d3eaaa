import { z } from 'zod';
import { nameField, namesField, secondsField, textField, timestampField } from './fields.ts';
import { abortSchema } from './guard.ts';

const conditionSchema = z
  .object({
    section: z
      .enum(['protect', 'when', 'unless', 'gate', 'active', 'group'])
      .describe('Section of the configuration that has the condition.'),
    name: nameField.describe('Key of the condition in its section.'),
    wanted: textField.describe('Value that the condition requires.'),
    seen: textField.nullable().describe('Value of the query or the node; null if it is not known.'),
    holds: z.boolean().nullable().describe('Whether the condition holds; null if the value is not known.'),
  })
  .meta({ id: 'ConditionResult', description: 'Result of one condition on a query.' });

const conditionsField = z.array(conditionSchema).max(100_000).readonly();

const policySchema = z
  .object({
    policy: nameField.describe('Policy.'),
    mode: z.enum(['observe', 'enforce']).describe('Effective mode.'),
    matches: z.boolean().describe('Whether all conditions hold now.'),
    owned: z
      .boolean()
      .describe('Whether the policy handles the query: it matches, and no policy of higher precedence does.'),
    conditions: conditionsField.describe('Result of each condition.'),
    observations: z.int().min(0).describe('Process lists that count towards the confirmation of the query.'),
    observationsNeeded: z.int().min(0).describe('Process lists that the confirmation needs.'),
    matchesAt: timestampField
      .nullable()
      .describe('Match time: when all conditions hold, or held, for the confirmed query; null if they never will.'),
    earliestAbortAt: timestampField.nullable().describe('Earliest abort time: match time and grace period.'),
    phase: nameField.nullable().describe('Phase of the decision, as in [Decision](#decision); null before it begins.'),
    held: nameField.nullable().describe('Reason that delays the abort, besides the grace period; null without one.'),
    heldSince: timestampField
      .nullable()
      .describe('Since when this reason delays the abort; null if it does not delay the abort yet.'),
    heldUntil: timestampField
      .nullable()
      .describe('When the reason ends by itself; null if it does not, or if that is unknown.'),
    notReady: namesField.describe('Why the policy can abort no query on the node, most important reason first.'),
  })
  .meta({ id: 'PolicyExplanation', description: 'Effect of one policy on a query, with the reasons.' });

/** Explanation of the guard for one query. */
export const queryExplanationSchema = z
  .object({
    cluster: nameField.describe('Cluster.'),
    node: nameField.describe('Node.'),
    id: nameField.min(1).describe('Request ID of the query.'),
    asOf: timestampField.describe('Time of the explanation.'),
    listing: z
      .enum(['listed', 'skipped', 'not_listed', 'no_list'])
      .describe(
        'Whether the latest list contains the query; `skipped` if its entry is malformed or its ages are inconsistent, `no_list` if the node has no recent valid list.',
      ),
    listedAt: timestampField
      .nullable()
      .describe('When the latest list that contains the query arrived; null if that is more than five minutes ago.'),
    graph: nameField.describe('Graph; empty if the query is not listed.'),
    query: nameField.describe('Name of the installed query, or the kind of call; empty if it is not listed.'),
    kind: z.enum(['', 'installed', 'interpreted', 'builtin']).describe('Kind; empty if the query is not listed.'),
    ageSeconds: secondsField.nullable().describe('Minimum running time at `asOf`.'),
    grantedTimeoutSeconds: secondsField.nullable().describe('Timeout that the server granted to the client.'),
    protections: z
      .array(conditionsField)
      .max(10_000)
      .readonly()
      .describe('Entries of `guard.protect` that protect the query from every policy.'),
    policies: z.array(policySchema).max(10_000).readonly().describe('Policies of the cluster, by precedence.'),
    aborts: z.array(abortSchema).max(1000).readonly().describe('Aborts of the query in the audit, the latest first.'),
  })
  .meta({
    id: 'QueryExplanation',
    description: 'Effect of the guard on one query, with the reasons.',
    examples: [
      {
        cluster: 'prod',
        node: 'm1',
        id: '7.RESTPP_1_1.1790000000000.N',
        asOf: '2026-01-31T12:00:05.000Z',
        listing: 'listed',
        listedAt: '2026-01-31T12:00:00.000Z',
        graph: 'fraud',
        query: 'ring_scan',
        kind: 'installed',
        ageSeconds: 635,
        grantedTimeoutSeconds: 3600,
        protections: [],
        policies: [
          {
            policy: 'runaway',
            mode: 'enforce',
            matches: true,
            owned: true,
            conditions: [{ section: 'when', name: 'age', wanted: '> 10m', seen: '10m35s', holds: true }],
            observations: 2,
            observationsNeeded: 2,
            matchesAt: '2026-01-31T11:59:30.000Z',
            earliestAbortAt: '2026-01-31T12:00:00.000Z',
            phase: 'grace',
            held: 'cooldown',
            heldSince: '2026-01-31T12:00:00.000Z',
            heldUntil: '2026-01-31T12:00:46.000Z',
            notReady: [],
          },
        ],
        aborts: [],
      },
    ],
  });

/** Explanation of the guard for one query, in the format of the API. */
export type QueryExplanationReport = z.infer<typeof queryExplanationSchema>;
