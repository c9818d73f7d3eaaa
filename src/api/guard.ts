import { z } from 'zod';
import { abortOutcomes } from '../model/guard.ts';
import { missingField, nameField, secondsField, textField, timestampField } from './fields.ts';

/** Reasons for a pause of the guard, in the order in which they are listed. */
export const pauseReasons = [
  'operator',
  'signal',
  'file',
  'config',
  'unexpected_id',
  'other_guard',
  'state_lost',
] as const;

/** One of {@link pauseReasons}. */
export type PauseReason = (typeof pauseReasons)[number];

/** Texts of the pause reasons. */
export const pauseReasonTexts: Readonly<Record<PauseReason, string>> = {
  operator: 'an operator paused the guard',
  signal: 'the signal SIGUSR2 paused the guard',
  file: 'the file guard.paused exists in the state directory, or its path cannot be read',
  config: 'the guard section of the configuration file cannot be read',
  unexpected_id: 'an abort response contains an unexpected query id',
  other_guard: 'a second guard seems to abort the same queries, which end when this one is about to abort them',
  state_lost: 'the stored state is lost or not loaded yet, so the spent budgets are unknown',
};

const modeField = z.enum(['observe', 'enforce']);

/** Abort of a query. */
export const abortSchema = z
  .object({
    key: nameField.describe('Key of the abort, unique in its cluster.'),
    cluster: nameField.min(1).describe('Cluster.'),
    node: nameField.min(1).describe('Node.'),
    id: nameField.min(1).describe('Request ID of the query.'),
    graph: nameField.describe('Graph.'),
    query: nameField.describe('Query.'),
    policy: nameField.describe('Policy that aborts the query; empty for a manual abort.'),
    manual: z
      .object({ by: nameField.describe('User or address.'), reason: textField.describe('Reason.') })
      .nullable()
      .describe('Operator who aborts the query, and the reason; null if a policy does.'),
    ageSeconds: secondsField.describe('Running time of the query at the decision.'),
    grantedTimeoutSeconds: secondsField.nullable().describe('Timeout that the server granted to the client.'),
    at: timestampField.describe('When the abort was decided.'),
    outcome: z.enum(abortOutcomes).nullable().describe('Outcome; null while it is unknown.'),
    endedAt: timestampField.nullable().describe('When the outcome was known.'),
  })
  .meta({ id: 'Abort', description: 'Abort of a query.', examples: [abortExample()] });

/** Abort, as the API returns it. */
export type AbortReport = z.infer<typeof abortSchema>;

/** Decision of the guard. */
export const decisionSchema = z
  .object({
    ...abortSchema.shape,
    mode: z.enum(['observe', 'enforce', 'manual']).describe('Mode; a decision in mode `observe` aborts nothing.'),
    phase: z
      .enum(['grace', 'fresh', 'committing', 'preparing', 'sent', 'verifying', 'over'])
      .describe(
        'Phase: `grace` (grace period, or a later delay), `fresh` (waits for a fresh list), `committing` (stores the intent), `preparing` (prepares the abort request), `sent` (waits for the response), `verifying` (waits for the outcome), `over` (ended).',
      ),
    skipReason: nameField.nullable().describe('Why the decision was dropped.'),
    delayReason: nameField.nullable().describe('Why the abort was delayed past its earliest abort time.'),
  })
  .meta({
    id: 'Decision',
    description:
      'Decision of the guard: an abort that was sent, that is in preparation, or that observe mode prevents.',
    examples: [{ ...abortExample(), mode: 'enforce', phase: 'over', skipReason: null, delayReason: null }],
  });

/** Decision, as the API returns it. */
export type DecisionReport = z.infer<typeof decisionSchema>;

/** Open circuit breaker. */
const breakerSchema = z
  .object({
    cluster: nameField.describe('Cluster.'),
    key: nameField.describe('Key, for `POST /api/v1/guard/breakers/reset`.'),
    reason: z.enum(['same_query', 'no_relief', 'credential']).describe('Why the circuit breaker opened.'),
    graph: nameField.describe('Graph of the query; only for `same_query`.'),
    query: nameField.describe('Query; only for `same_query`.'),
    policy: nameField.describe('Policy; only for `no_relief`.'),
    since: timestampField.describe('When the circuit breaker opened.'),
  })
  .meta({ id: 'Breaker', description: 'Open circuit breaker.' });

/** Whether a policy can abort queries on a node. */
const readinessSchema = z
  .object({
    cluster: nameField.describe('Cluster.'),
    policy: nameField.describe('Policy.'),
    mode: modeField.describe('Effective mode.'),
    node: nameField.describe('Node.'),
    ready: z.boolean().describe('Whether the policy can abort queries on the node, apart from its mode.'),
    reasons: z
      .array(nameField)
      .max(100)
      .readonly()
      .describe('Why the policy cannot abort queries, most important reason first.'),
    held: z.int().min(0).describe('Matching queries past their earliest abort time that are not aborted yet.'),
    since: timestampField.nullable().describe('When the policy ceased to be ready; null while it is ready.'),
  })
  .meta({ id: 'Readiness', description: 'Whether a policy can abort queries on a node.' });

/** Budget of aborts. */
const remainingBudgetSchema = z
  .object({
    cluster: nameField.describe('Cluster.'),
    node: nameField.describe('Node; empty for the budget of the whole cluster.'),
    left: z.int().min(0).describe('Aborts that are left in the current period.'),
    max: z.int().min(0).describe('Maximum number of aborts within the period.'),
    withinSeconds: secondsField.describe('Length of the period.'),
  })
  .meta({ id: 'Budget', description: 'Abort budget of all policies together, and its remaining part.' });

/** Rejection of the configuration file or the web config file. */
const rejectedConfigSchema = z
  .object({
    since: timestampField.describe('When a file was first rejected.'),
    problem: textField.describe('First problem with its file and line, and the number of further problems.'),
  })
  .meta({ id: 'RejectedConfig', description: 'Rejection of the configuration file or the web config file.' });

const pauseReasonsField = z.array(z.enum(pauseReasons)).max(100).readonly();

/** Pause of the guard of one cluster. */
const clusterPauseSchema = z
  .object({
    cluster: nameField.describe('Cluster.'),
    paused: z.boolean().describe('Whether the guard of the cluster is paused.'),
    reasons: pauseReasonsField.describe('Reasons for the pause.'),
  })
  .meta({ id: 'ClusterPause', description: 'Pause of the guard of one cluster.' });

const pauseFields = {
  paused: z.boolean().describe('Whether the guard of every cluster is paused.'),
  reasons: pauseReasonsField.describe('Reasons for the pause that hold for every cluster.'),
  clusters: z.array(clusterPauseSchema).max(10_000).readonly().describe('Pause of the guard of each cluster.'),
};

/** Pause of the guard. */
export const pauseSchema = z.object(pauseFields).meta({
  id: 'Pause',
  description: 'Pause of the guard.',
  examples: [
    {
      paused: true,
      reasons: ['operator'],
      clusters: [{ cluster: 'prod', paused: true, reasons: ['operator', 'unexpected_id'] }],
    },
  ],
});

/** State of the guard. */
export const guardSchema = z
  .object({
    ...pauseFields,
    mode: modeField.describe('Mode of the guard.'),
    policies: z
      .array(
        z.object({
          name: nameField.describe('Name.'),
          mode: modeField.describe('Effective mode.'),
          sentences: z
            .array(textField)
            .max(1000)
            .readonly()
            .describe('What the policy aborts, in the lines of `graphwarden guard explain`.'),
        }),
      )
      .max(10_000)
      .readonly()
      .describe('Policies.'),
    budgets: z
      .array(remainingBudgetSchema)
      .max(100_000)
      .readonly()
      .describe('Budgets of the clusters to which a policy applies, and of their nodes.'),
    breakers: z.array(breakerSchema).max(100_000).readonly().describe('Open circuit breakers.'),
    readiness: z.array(readinessSchema).max(100_000).readonly().describe('Readiness of each policy on each node.'),
    rejectedConfig: rejectedConfigSchema
      .nullable()
      .describe('Rejection of the configuration file or the web config file; null while both are in force.'),
    missing: missingField,
  })
  .meta({
    id: 'Guard',
    description: 'State of the guard.',
    examples: [
      {
        paused: false,
        reasons: [],
        clusters: [{ cluster: 'prod', paused: false, reasons: [] }],
        mode: 'enforce',
        policies: [
          {
            name: 'runaway',
            mode: 'enforce',
            sentences: [
              'runaway: enforces.',
              '  It aborts installed queries of the cluster prod that have been running longer than 10m.',
            ],
          },
        ],
        budgets: [{ cluster: 'prod', node: 'm1', left: 1, max: 3, withinSeconds: 600 }],
        breakers: [
          {
            cluster: 'prod',
            key: 'no_relief runaway',
            reason: 'no_relief',
            graph: '',
            query: '',
            policy: 'runaway',
            since: '2026-01-31T12:00:00.000Z',
          },
        ],
        readiness: [
          {
            cluster: 'prod',
            policy: 'runaway',
            mode: 'enforce',
            node: 'm1',
            ready: false,
            reasons: ['not_covered'],
            held: 1,
            since: '2026-01-31T12:00:00.000Z',
          },
        ],
        rejectedConfig: null,
      },
    ],
  });

/** State of the guard, as the API returns it. */
export type GuardReport = z.infer<typeof guardSchema>;

/** Pause of the guard, as the API returns it. */
export type PauseReport = z.infer<typeof pauseSchema>;

function abortExample() {
  return {
    key: '9c1e',
    cluster: 'prod',
    node: 'm1',
    id: '7.RESTPP_1_1.1790000000000.N',
    graph: 'fraud',
    query: 'ring_scan',
    policy: 'runaway',
    manual: null,
    ageSeconds: 630,
    grantedTimeoutSeconds: 600,
    at: '2026-01-31T12:00:00.000Z',
    outcome: 'confirmed',
    endedAt: '2026-01-31T12:00:02.000Z',
  };
}
